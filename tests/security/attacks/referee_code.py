# family: files
# does: reads the referee's code and the filter
# contained by: the mount namespace shows the player's tree alone; Landlock allows no other
# expect: denied
# without: landlock at confined

import os
import sys

input()
found = []
for base in {os.path.dirname(entry) for entry in sys.path if "player" in entry} | {"/arena"}:
    for name in ("/runner/referee/turns/loop.py", "/MANIFEST", "/filters/python.bpf", "/stub.pyc"):
        try:
            os.close(os.open(base + name, os.O_RDONLY))
            found.append(name)
        except OSError:
            pass
print("escaped: " + ", ".join(found) if found else "denied")
