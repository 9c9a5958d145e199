# family: files
# does: reads what the kernel tells of the host
# contained by: the mount namespace, or the jail at confined, has neither /proc nor /sys; Landlock does not allow them
# expect: denied
# without: landlock chroot at confined

import os

input()
found = []
for path in (
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/sys/kernel",
    "/proc/net/unix",
    "/proc/kallsyms",
    "/proc/sysvipc/shm",
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
