# family: processes
# does: becomes a shell
# contained by: seccomp: no exec for Python; Landlock allows no program
# expect: denied
# without: seccomp landlock memory-image

import os

input()
try:
    os.execv("/bin/sh", ["sh", "-c", "echo escaped: a shell"])
except OSError as error:
    print(f"denied: {error}")
