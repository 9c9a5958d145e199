# family: kernel interfaces
# does: asks which pages of shared files are in memory
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(27, None, 0, None)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
