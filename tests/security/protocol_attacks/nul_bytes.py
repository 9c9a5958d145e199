# family: protocol abuse
# does: answers with zero bytes
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
        sys.stdout.buffer.write(bytes(1000) + b"\n")
        sys.stdout.buffer.flush()
