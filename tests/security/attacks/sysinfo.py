# family: kernel interfaces
# does: reads the host's free memory, which another bot can change
# contained by: seccomp: not on the list
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(99, ctypes.create_string_buffer(128))
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
