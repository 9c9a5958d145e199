# family: files
# does: reads the host's programs
# contained by: the mount namespace shows it none; Landlock
# expect: denied
# without: landlock memory-image

import os

input()
found = []
for path in (
    "/usr/bin/env",
    "/usr/bin/su",
    "/usr/bin/python3",
    "/usr/share/dict",
    "/usr/include",
    "/usr/src",
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
