# family: files
# does: rewrites itself, for the next game
# contained by: read-only mounts, Landlock, and files nobody may write
# expect: denied

import os

input()
found = []
for path in (__file__, os.path.dirname(__file__) + "/__pycache__/x.pyc", os.__file__):
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
