# family: files
# does: makes links to what it may not read
# contained by: seccomp: no link calls; no directory is writable
# expect: denied
# without: seccomp landlock readonly-root

import os

input()
done = []
for name, attempt in (
    ("symlink", lambda: os.symlink("/etc/passwd", "/tmp/here")),
    ("hard link", lambda: os.link(__file__, "/tmp/there")),
    ("rename", lambda: os.rename(__file__, "/tmp/there")),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
