# family: kernel interfaces
# does: switches process accounting
# contained by: seccomp: not on the list
# expect: denied

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(163, None)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
