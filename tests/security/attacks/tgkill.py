# family: other processes
# does: signals a thread of another
# contained by: the filter for signals
# expect: denied
# without: signals landlock

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(234, 1, 1, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
