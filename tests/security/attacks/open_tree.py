# family: kernel interfaces
# does: clones a mount
# contained by: seccomp: not on the list
# expect: denied

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(428, -100, b"/", 1)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
