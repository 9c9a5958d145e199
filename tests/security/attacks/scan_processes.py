# family: other processes
# does: looks for processes
# contained by: the pid namespace: only its own init; at confined it learns which exist
# expect: bounded
# most: 1
# confined expects: leaks

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
