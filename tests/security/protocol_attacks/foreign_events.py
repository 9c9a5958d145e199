# family: protocol abuse
# does: answers as if it were the referee
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
        print(
            json.dumps(
                {"type": "end", "n": 0, "result": {"termination": "win", "seat": None, "points": [0, 99]}}
            )
        )
