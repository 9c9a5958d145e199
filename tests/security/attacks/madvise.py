# family: kernel interfaces
# does: has pages that other bots have too merged, put out of memory or made huge, which they can time
# contained by: seccomp: none of this advice
# expect: denied
# without: seccomp

import ctypes
import mmap
import os

PAGEOUT, COLD, COLLAPSE, MERGEABLE = 21, 20, 25, 12
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
input()
fd = os.open(os.__file__, os.O_RDONLY)
shared = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
own = libc.mmap(None, 4096, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
allowed = []
for page, advice in ((shared, COLD), (shared, PAGEOUT), (shared, COLLAPSE), (own, MERGEABLE)):
    if libc.madvise(ctypes.c_void_p(page), 4096, advice) == 0 or ctypes.get_errno() != 1:
        allowed.append(advice)
print(f"escaped: {allowed}" if allowed else "denied")
