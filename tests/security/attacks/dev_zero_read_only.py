# family: memory
# does: maps /dev/zero shared to read only: every page read is a page taken
# contained by: the mount namespace has no /dev/zero; Landlock does not allow it
# expect: denied

import mmap
import os

input()
try:
    fd = os.open("/dev/zero", os.O_RDONLY)
    mmap.mmap(fd, 1 << 20, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    print("escaped: shared memory")
except OSError as error:
    print(f"denied: {error}")
