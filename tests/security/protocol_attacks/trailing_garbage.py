# family: protocol abuse
# does: writes more behind the end of its answer
# contained by: the protocol, parsed strictly and within bounds
# expect: protocol

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        answer = json.dumps({"id": message["id"], "moves": [message["legal"][0]]})
        sys.stdout.buffer.write(answer.encode() + b" rm -rf\n")
        sys.stdout.buffer.flush()
