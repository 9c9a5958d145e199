# family: protocol abuse
# does: says that it is ready, again and again
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol flood crash

import sys

sys.stdin.readline()
for _ in range(3):
    print('{"type": "ready"}')
sys.stdin.readline()
