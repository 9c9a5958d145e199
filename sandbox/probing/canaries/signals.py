"""Signals everybody but itself."""

import os

done = []
for target in (-1, 1, os.getppid(), *range(2, 400)):
    if target == os.getpid():
        continue
    try:
        os.kill(target, 0)
        done.append(str(target))
    except OSError:
        pass
print("escaped: signalled " + ", ".join(done[:9]) if done else "contained")
