# family: network
# does: forges packets
# contained by: seccomp: no sockets; the network namespace behind it
# expect: denied

import _socket

input()
try:
    _socket.socket(2, 3, 1)
    print("escaped: a socket")
except OSError as error:
    print(f"denied: {error}" if error.errno == 1 else f"escaped: {error}")
