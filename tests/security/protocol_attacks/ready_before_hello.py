# family: protocol abuse
# does: says that it is ready before it was asked, and answers what it guesses will be asked
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol

import sys

print('{"type": "ready"}')
for number in range(1000):
    print('{"id": "%08x", "moves": ["draw"]}' % number)
sys.stdin.read()
