# family: memory
# does: recurses without end
# contained by: RLIMIT_AS
# expect: memory silent crashed
# seconds: 2

import sys

input()
sys.setrecursionlimit(1 << 30)


def deeper(depth):
    return deeper(depth + 1) + [depth]


deeper(0)
print("escaped")
