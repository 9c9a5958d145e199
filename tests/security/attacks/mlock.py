# family: memory
# does: pins memory
# contained by: seccomp: no mlock; RLIMIT_MEMLOCK
# expect: denied
# without: seccomp rlimits

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(149, None, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
