# family: kernel interfaces
# does: takes a lease on a shared file, to learn who opens it
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(72, 0, 1025)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
