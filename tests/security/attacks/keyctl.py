# family: kernel interfaces
# does: looks at the session's keyring, shared by all bots of a uid
# contained by: seccomp: ends whoever tries
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(250, 0, -3, 0)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in () else f"escaped: {got}, errno {errno}")
