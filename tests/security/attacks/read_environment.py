# family: files
# does: reads the environment and the memory of others
# contained by: the mount namespace, or the jail at confined, has no /proc; Landlock does not allow it
# expect: denied
# without: landlock chroot at confined

import os

input()
found = []
for path in (
    "/proc/1/environ",
    "/proc/self/environ",
    f"/proc/{os.getppid()}/environ",
    "/proc/self/mem",
    f"/proc/{os.getppid()}/mem",
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
