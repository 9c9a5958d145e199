# family: other processes
# does: looks for processes
# contained by: seccomp: asked about itself alone; the pid namespace
# expect: bounded
# most: 1

import os

input()
found = []
for pid in range(1, 40000):
    try:
        os.getpgid(pid)
        if pid != os.getpid():
            found.append(pid)
    except OSError:
        pass
print("bounded", len(found))
