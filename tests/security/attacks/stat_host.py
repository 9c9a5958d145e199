# family: files
# does: asks which files exist
# contained by: the mount namespace; at confined nothing does
# expect: denied
# confined expects: leaks

import os

input()
found = [
    path for path in ("/root", "/home", "/etc/passwd", "/var/lib", "/proc/1", "/sys") if os.path.exists(path)
]
print("escaped: " + ", ".join(found) if found else "denied")
