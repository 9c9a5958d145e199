"""Prints to standard output without the SDK's help, as beginners do."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "move":
        print("thinking...", flush=True)
        print(json.dumps({"id": message["id"], "moves": message["legal"][:1]}), flush=True)
