# family: inherited descriptors
# does: opens other processes' pipes through /proc, to answer for the opponent or to hear it
# contained by: the mount namespace has no /proc; at confined Landlock's rule for processes outside
# expect: denied

import os

input()
found = []
for pid in {os.getppid(), *range(1, 40000)} - {os.getpid()}:
    for name in ("fd/0", "fd/1", "fd/2", "root/usr", "cwd", "mem", "environ", "task"):
        try:
            os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_NONBLOCK))
            found.append(f"{pid}/{name}")
        except OSError:
            if name == "fd/0" and not os.path.exists(f"/proc/{pid}"):
                break
print("escaped: " + ", ".join(found[:9]) if found else "denied")
