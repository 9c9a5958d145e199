# family: files
# does: changes a file's times, mode or attributes, to leave a mark
# contained by: seccomp: no such calls; files belong to another uid or are read only
# expect: denied

import os

input()
done = []
for name, attempt in (
    ("chmod", lambda: os.chmod(__file__, 0o777)),
    ("chown", lambda: os.chown(__file__, os.getuid(), -1)),
    ("utime", lambda: os.utime(__file__)),
    ("xattr", lambda: os.setxattr(__file__, "user.x", b"x")),
    ("truncate", lambda: os.truncate(__file__, 0)),
    ("unlink", lambda: os.unlink(__file__)),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print("escaped: " + ", ".join(done) if done else "denied")
