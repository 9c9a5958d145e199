"""Looks for descriptors somebody left open, and opens as many as it gets."""

import os

found = []
for fd in range(3, 4096):
    try:
        os.fstat(fd)
        found.append(fd)
    except OSError:
        pass
count = 0
try:
    while count < 4096:
        os.pipe()
        count += 1
except OSError:
    pass
if found or count > 64:
    print(f"escaped: inherited {found}, opened {2 * count}")
else:
    print("contained")
