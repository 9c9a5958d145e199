# family: protocol abuse
# does: ends lines as Windows does, and names a key twice: harmless
# contained by: the protocol, parsed strictly and within bounds
# expect: win stall passes

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        answer = json.dumps({"id": message["id"], "moves": [message["legal"][0]]}).replace(
            "{", '{"moves": ["t1-t1"], ', 1
        )
        sys.stdout.buffer.write(answer.encode() + b"\r\n")
        sys.stdout.buffer.flush()
