"""Answers at once and goes on computing while the others think."""

import json
import os
import select
import sys

sys.stdin.readline()
os.write(1, b'{"type":"ready"}\n')
while True:
    while not select.select([0], [], [], 0)[0]:
        pass
    line = os.read(0, 1 << 16)
    if not line:
        break
    message = json.loads(line)
    if message["type"] == "end":
        break
    os.write(1, json.dumps({"id": message["id"], "moves": message["legal"][:1]}).encode() + b"\n")
