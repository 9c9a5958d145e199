# family: kernel interfaces
# does: wakes another bot that waits in a page of libc, which both have mapped
# contained by: seccomp: private futexes only
# expect: denied
# without: seccomp

import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
input()
fd = os.open(os.__file__, os.O_RDONLY)
page = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
got = libc.syscall(202, ctypes.c_void_p(page), 1, 1, None, None, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno == 1 else f"escaped: {got}, errno {errno}")
