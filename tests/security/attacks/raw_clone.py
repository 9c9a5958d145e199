# family: processes
# does: clones itself past libc
# contained by: seccomp: no clone; RLIMIT_NPROC behind it
# expect: denied
# without: seccomp rlimits

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(56, 17, None, None, None, None)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
