# family: files
# does: opens devices
# contained by: the mount namespace, or the jail at confined, has null and urandom alone; Landlock allows no other
# expect: denied
# without: landlock chroot at confined

import os

input()
found = []
for path in (
    "/dev/tty",
    "/dev/kmsg",
    "/dev/mem",
    "/dev/vda",
    "/dev/sda",
    "/dev/kvm",
    "/dev/fuse",
    "/dev/ptmx",
    "/dev/net/tun",
    "/dev/shm",
    "/dev/mqueue",
    "/dev/full",
    "/dev/zero",
    "/dev/random",
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
print("escaped: " + ", ".join(found) if found else "denied")
