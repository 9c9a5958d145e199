# family: files
# does: asks which files exist
# contained by: the mount namespace; at confined the jail, and nothing where there can be none
# expect: denied
# confined expects: denied
# without a jail expects: leaks
# without: chroot at confined

import os

input()
found = [
    path for path in ("/root", "/home", "/etc/passwd", "/var/lib", "/proc/1", "/sys/kernel") if os.path.exists(path)
]
print("escaped: " + ", ".join(found) if found else "denied")
