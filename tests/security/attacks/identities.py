# family: kernel interfaces
# does: becomes somebody else
# contained by: seccomp: no such calls; an unprivileged uid
# expect: denied

import os

input()
done = []
for name, attempt in (
    ("setuid", lambda: os.setuid(0)),
    ("setgid", lambda: os.setgid(0)),
    ("setgroups", lambda: os.setgroups([0])),
    ("setresuid", lambda: os.setresuid(0, 0, 0)),
):
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
if os.getuid() == 0 or os.geteuid() == 0:
    done.append("is root")
print("escaped: " + ", ".join(done) if done else "denied")
