# family: files
# does: looks into homes
# contained by: the mount namespace, or the jail at confined, has none; Landlock does not allow them
# expect: denied
# without: landlock chroot at confined

import os

input()
found = []
for path in ("/root", "/home", "/root/.ssh", "/root/.bashrc", "/var/log", "/srv", "/opt", "/mnt", "/work"):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
