# family: files
# does: makes a file anywhere
# contained by: no directory is writable: read-only mounts, Landlock
# expect: denied
# without: landlock readonly-root

import os

input()
found = []
for path in (
    "/tmp/x",
    "/var/tmp/x",
    "/dev/shm/x",
    "/run/x",
    "./x",
    "/x",
    "/usr/x",
    "/dev/x",
    "/arena/x",
    os.path.expanduser("~/x"),
):
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
