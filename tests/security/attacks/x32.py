# family: kernel interfaces
# does: calls the kernel by the numbers of the x32 table
# contained by: seccomp: the x32 table ends the process
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(0x40000000 | 39)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno == 1 else f"escaped: {got}, errno {errno}")
