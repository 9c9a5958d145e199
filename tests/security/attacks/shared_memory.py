# family: memory
# does: maps shared memory, which no process's size counts
# contained by: seccomp: mmap shared and anonymous
# expect: denied
# without: seccomp

import mmap

input()
try:
    mmap.mmap(-1, 1 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    print("escaped: shared memory")
except OSError as error:
    print(f"denied: {error}")
