# family: protocol abuse
# does: says something else than ready
# contained by: the protocol, parsed strictly and within bounds
# expect: startup protocol

import sys

sys.stdin.readline()
print("hello to you too")
sys.stdin.read()
