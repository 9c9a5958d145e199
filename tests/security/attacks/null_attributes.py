# family: files
# does: leaves a mark on the one device it may write
# contained by: seccomp: no such calls; the device is the host's
# expect: denied

import os

input()
done = []
for name, attempt in (
    ("chmod", lambda: os.chmod("/dev/null", 0o600)),
    ("utime", lambda: os.utime("/dev/null")),
    ("xattr", lambda: os.setxattr("/dev/null", "user.x", b"x")),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
