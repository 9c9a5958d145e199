# family: kernel interfaces
# does: reads the note of another bot in a keyring
# contained by: seccomp: ends whoever tries
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(249, b"user", b"note", None, -3)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in () else f"escaped: {got}, errno {errno}")
