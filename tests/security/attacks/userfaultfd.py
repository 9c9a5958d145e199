# family: kernel interfaces
# does: handles page faults itself, to hold the kernel still
# contained by: seccomp: ends whoever tries
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(323, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in () else f"escaped: {got}, errno {errno}")
