# family: protocol abuse
# does: answers with more moves than a game has
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        print(json.dumps({"id": question, "moves": legal[:1] * 5000}))
