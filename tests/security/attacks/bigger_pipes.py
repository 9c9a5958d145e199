# family: memory
# does: makes pipes hold more of the kernel's memory
# contained by: seccomp: no F_SETPIPE_SZ
# expect: denied
# without: seccomp

import fcntl
import os

input()
_, end = os.pipe()
try:
    fcntl.fcntl(end, 1031, 1 << 20)
    print("escaped: a pipe of a megabyte")
except OSError as error:
    print(f"denied: {error}")
