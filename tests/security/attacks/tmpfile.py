# family: files
# does: makes a file without a name
# contained by: no directory is writable: read-only mounts, Landlock
# expect: denied
# without: landlock readonly-root

import os

input()
found = []
for path in ("/tmp", "/var/tmp", ".", "/", "/dev/shm", "/dev", "/usr"):
    try:
        os.close(os.open(path, os.O_TMPFILE | os.O_RDWR))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
