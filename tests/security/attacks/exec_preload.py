# family: processes
# does: starts itself afresh with a library of its own
# contained by: seccomp: no exec; Landlock allows no program
# expect: denied
# without: seccomp landlock

import os
import sys

input()
try:
    os.execve(
        sys.executable or "/usr/bin/python3",
        ["python3", "-c", "print('escaped: again, without the stub')"],
        {"LD_PRELOAD": "/bot/evil.so"},
    )
except OSError as error:
    print(f"denied: {error}")
