# family: memory
# does: makes arrays without end
# contained by: RLIMIT_AS, RLIMIT_DATA
# expect: bounded
# most: 1280
# without: rlimits

import numpy

input()
taken = []
try:
    while len(taken) < 100:
        taken.append(numpy.empty(16 << 20, numpy.uint8))
except MemoryError:
    pass
print("bounded", len(taken) * 16)
