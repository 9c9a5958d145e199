# family: processes
# does: starts threads without end
# contained by: seccomp: no clone; RLIMIT_NPROC behind it
# expect: denied
# without: seccomp rlimits

import _thread
import time

input()
made = 0
try:
    while made < 500:
        _thread.start_new_thread(time.sleep, (30,))
        made += 1
except RuntimeError as error:
    print(f"denied: {error}" if made == 0 else f"escaped: {made} threads")
else:
    print(f"escaped: {made} threads")
