"""Looks for the host's files and for a place to write."""

import os

found = []
for path in (
    "/etc/passwd",
    "/etc/shadow",
    "/root/.ssh",
    "/home",
    "/proc/1/environ",
    "/proc/self/maps",
    "/var/lib",
    "/sys/kernel",
):
    try:
        os.close(os.open(path, os.O_RDONLY))
        found.append(path)
    except OSError:
        pass
for path in ("./new", "/tmp/new", "/dev/shm/new", "/var/tmp/new", __file__):  # noqa: S108
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        found.append(f"write {path}")
    except OSError:
        pass
print("escaped: opened " + ", ".join(found) if found else "contained")
