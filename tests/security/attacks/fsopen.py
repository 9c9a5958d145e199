# family: kernel interfaces
# does: uses the new mount interface
# contained by: seccomp: not on the list
# expect: denied

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(430, b"tmpfs", 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
