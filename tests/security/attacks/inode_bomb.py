# family: files
# does: makes directories without end: no byte, and all of the kernel's memory
# contained by: no directory is writable; seccomp: no mkdir
# expect: bounded
# most: 0
# without: seccomp landlock readonly-root

import os

input()
made = 0
for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/dev"):
    try:
        for number in range(20000):
            os.mkdir(f"{place}/bomb{number}")
            made += 1
    except OSError:
        pass
print("bounded", made)
