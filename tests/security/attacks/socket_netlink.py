# family: network
# does: configures the network
# contained by: seccomp: no sockets; the network namespace behind it
# expect: denied
# without: seccomp

import _socket

input()
try:
    _socket.socket(16, 3, 0)
    print("escaped: a socket")
except OSError as error:
    print(f"denied: {error}" if error.errno == 1 else f"escaped: {error}")
