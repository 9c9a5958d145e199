# family: kernel interfaces
# does: memory even the kernel does not map
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(447, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1, 38) else f"escaped: {got}, errno {errno}")
