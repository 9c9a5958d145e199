# family: protocol abuse
# does: nests just as deep as a parser can go, and has it quoted
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
        sys.stdout.buffer.write(b'{"id":' + b"[" * 900 + b"]" * 900 + b"}\n")
        sys.stdout.buffer.flush()
