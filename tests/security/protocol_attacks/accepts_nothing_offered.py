# family: protocol abuse
# does: accepts a draw that nobody offered
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        print(json.dumps({"id": message["id"], "accept_draw": True}))
