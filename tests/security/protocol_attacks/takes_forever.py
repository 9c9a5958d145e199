# family: protocol abuse
# does: answers with one byte a second
# contained by: the protocol, parsed strictly and within bounds
# expect: silence timeout

import json
import sys


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}')
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        [(__import__("time").sleep(1), sys.stdout.write(" "), sys.stdout.flush()) for _ in range(60)]
