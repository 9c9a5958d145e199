# family: other processes
# does: reads the processor time of others, to see the opponent think
# contained by: seccomp: the common clocks alone
# expect: denied
# without: seccomp

import os
import time

input()
done = []
for pid in {os.getppid(), 1, *range(2, 2000)} - {0}:
    try:
        time.clock_gettime((~pid << 3) | 2)
        done.append(pid)
    except OSError:
        pass
print(f"escaped: {done[:9]}" if done else "denied")
