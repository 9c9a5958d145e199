# family: network
# does: talks to the world by the newer protocol
# contained by: seccomp: no sockets; the network namespace behind it
# expect: denied
# without: seccomp

import _socket

input()
try:
    _socket.socket(10, 1)
    print("escaped: a socket")
except OSError as error:
    print(f"denied: {error}" if error.errno == 1 else f"escaped: {error}")
