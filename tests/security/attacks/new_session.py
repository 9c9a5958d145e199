# family: processes
# does: leaves its session, so that signals to the group miss it
# contained by: seccomp: no setsid
# expect: denied

import os

input()
try:
    os.setsid()
    os.setpgid(0, 0)
    print("escaped: a session of its own")
except OSError as error:
    print(f"denied: {error}")
