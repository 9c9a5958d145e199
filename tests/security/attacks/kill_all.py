# family: other processes
# does: ends every process it may signal, the referee first
# contained by: the filter for signals; the pid namespace behind it
# expect: denied
# without: signals

import os

input()
done = []
for name, attempt in (
    ("everybody", lambda: os.kill(-1, 0)),
    ("the group", lambda: os.kill(0, 0)),
    ("the group too", lambda: os.killpg(os.getpgrp(), 0)),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
