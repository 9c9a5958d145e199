# family: protocol abuse
# does: does not say that it is ready
# contained by: the protocol, parsed strictly and within bounds
# expect: startup

import sys

sys.stdin.readline()
sys.stdin.readline()
