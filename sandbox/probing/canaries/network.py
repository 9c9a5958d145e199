"""Wants a socket of any kind that leads out."""

import _socket

done = []
for family in range(46):
    for kind in (1, 2, 3, 5):
        try:
            _socket.socket(family, kind)
            done.append(f"{family}/{kind}")
        except OSError:
            pass
print("escaped: sockets " + ", ".join(done) if done else "contained")
