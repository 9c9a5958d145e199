# family: memory
# does: opens pipes without end
# contained by: RLIMIT_NOFILE
# expect: bounded
# most: 64
# without: rlimits

import os

input()
ends = []
try:
    while len(ends) < 5000:
        ends += os.pipe()
except OSError:
    pass
print("bounded", len(ends))
