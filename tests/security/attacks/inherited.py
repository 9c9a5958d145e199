# family: inherited descriptors
# does: uses descriptors somebody forgot to close
# contained by: pass_fds, and the stub closes what it gets
# expect: denied

import os

input()
found = []
for fd in range(3, 70000):
    try:
        os.fstat(fd)
        found.append(fd)
    except OSError:
        pass
print(f"escaped: {found}" if found else "denied")
