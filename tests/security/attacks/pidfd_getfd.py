# family: other processes
# does: takes a descriptor out of another process
# contained by: seccomp: no pidfd_getfd
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(438, -1, 0, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
