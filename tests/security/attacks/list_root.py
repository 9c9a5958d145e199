# family: files
# does: looks at what there is
# contained by: Landlock
# expect: denied
# without: landlock

import os

input()
found = []
for path in ("/", "/usr", "/dev", "/tmp", "/usr/share", "/usr/local"):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
