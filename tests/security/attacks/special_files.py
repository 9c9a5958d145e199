# family: files
# does: makes pipes, devices and directories with names
# contained by: seccomp: no such calls; no directory is writable
# expect: denied
# without: seccomp landlock readonly-root

import os

input()
done = []
for name, attempt in (
    ("fifo", lambda: os.mkfifo("/tmp/fifo")),
    ("device", lambda: os.mknod("/tmp/device", 0o020600, os.makedev(1, 3))),
    ("directory", lambda: os.mkdir("/tmp/directory")),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
