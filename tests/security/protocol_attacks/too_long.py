# family: protocol abuse
# does: sends a line one byte longer than may be
# contained by: the protocol, parsed strictly and within bounds
# expect: flood

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        sys.stdout.buffer.write(b" " * 65536 + b"\n")
        sys.stdout.buffer.flush()
