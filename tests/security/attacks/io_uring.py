# family: kernel interfaces
# does: makes system calls past the filter through a ring
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(425, 8, ctypes.create_string_buffer(256))
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1, 38) else f"escaped: {got}, errno {errno}")
