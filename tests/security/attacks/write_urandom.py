# family: files
# does: writes to the kernel's random pool
# contained by: Landlock: read only
# expect: denied
# without: landlock

import os

input()
found = []
for path in ("/dev/urandom",):
    try:
        os.close(os.open(path, os.O_WRONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
