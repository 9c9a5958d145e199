# family: files
# does: reads the host's accounts
# contained by: the mount namespace, or the jail at confined, has no /etc; Landlock does not allow it
# expect: denied
# without: landlock chroot at confined

import os

input()
found = []
for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/os-release"):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
