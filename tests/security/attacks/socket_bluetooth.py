# family: network
# does: uses protocols nobody maintains
# contained by: seccomp: no sockets; the network namespace behind it
# expect: denied
# without: seccomp

import _socket

input()
try:
    _socket.socket(31, 3, 1)
    print("escaped: a socket")
except OSError as error:
    print(f"denied: {error}" if error.errno == 1 else f"escaped: {error}")
