# family: network
# does: talks to the arena's own web server
# contained by: seccomp: no sockets; the network namespace; Landlock
# expect: denied
# without: seccomp landlock

import socket

input()
try:
    socket.create_connection(("127.0.0.1", 8000), timeout=1)
    print("escaped: connected")
except PermissionError as error:
    print(f"denied: {error}")
except OSError as error:
    print(f"escaped: {error}")
