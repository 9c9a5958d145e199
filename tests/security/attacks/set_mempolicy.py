# family: kernel interfaces
# does: chooses its memory's node
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(238, 0, None, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
