# family: processes
# does: asks not to die with its parent
# contained by: seccomp: four harmless prctl options only
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(157, 1, 0, 0, 0, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
