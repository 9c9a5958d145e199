# family: memory
# does: maps memory without end
# contained by: RLIMIT_AS
# expect: bounded
# most: 512
# without: rlimits

import mmap

input()
taken = []
try:
    while len(taken) < 2000:
        taken.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
except OSError:
    pass
print("bounded", len(taken) * 16)
