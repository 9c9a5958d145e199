# family: protocol abuse
# does: puts a script into every comment
# contained by: the protocol, parsed strictly and within bounds
# expect: crash stall passes win

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        print(json.dumps({"id": question, "moves": legal[:1], "comment": "<script>alert(1)</script>" * 100}))
        sys.exit(len(message["events"]) > 20)
