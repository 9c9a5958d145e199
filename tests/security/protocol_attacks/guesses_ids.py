# family: protocol abuse
# does: answers thousands of guessed questions before the first is put
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol flood

import sys

sys.stdin.readline()
print('{"type": "ready"}')
sys.stdout.flush()
sys.stdout.write("".join('{"id": "%08x", "moves": ["draw"]}\n' % number for number in range(100000)))
sys.stdout.flush()
sys.stdin.read()
