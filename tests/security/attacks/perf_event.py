# family: kernel interfaces
# does: counts events of the machine, a fine side channel
# contained by: seccomp: ends whoever tries
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(298, None, 0, -1, -1, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in () else f"escaped: {got}, errno {errno}")
