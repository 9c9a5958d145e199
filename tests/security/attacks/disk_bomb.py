# family: files
# does: fills the disk, or the memory that pretends to be one
# contained by: no directory is writable; RLIMIT_FSIZE
# expect: bounded
# most: 0
# without: landlock rlimits readonly-root

import os

input()
written = 0
for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/dev"):
    try:
        fd = os.open(f"{place}/bomb", os.O_WRONLY | os.O_CREAT)
        for _ in range(64):
            written += os.write(fd, bytes(1 << 20))
    except OSError:
        pass
print("bounded", written)
