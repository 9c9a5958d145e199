# family: memory
# does: maps /dev/zero shared, which is shared memory by another name
# contained by: the mount namespace has no /dev/zero; Landlock does not allow it
# expect: denied

import mmap
import os

input()
try:
    fd = os.open("/dev/zero", os.O_RDWR)
    mmap.mmap(fd, 1 << 20, flags=mmap.MAP_SHARED)
    print("escaped: shared memory")
except OSError as error:
    print(f"denied: {error}")
