# family: processes
# does: forks until nothing else can
# contained by: seccomp: no fork; RLIMIT_NPROC behind it
# expect: denied
# without: seccomp rlimits

import os

input()
made = 0
try:
    while made < 40:
        if os.fork() == 0:
            while True:
                pass
        made += 1
except OSError as error:
    print(f"denied: {error}" if made == 0 else f"escaped: {made} children, then {error}")
else:
    print(f"escaped: {made} children")
