# family: protocol abuse
# does: puts terminal codes into a move
# contained by: the protocol, parsed strictly and within bounds
# expect: illegal-move

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        print(json.dumps({"id": question, "moves": ["\x1b[2J\x07"]}))
