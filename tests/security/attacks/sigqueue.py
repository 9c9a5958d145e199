# family: other processes
# does: signals another with a message
# contained by: seccomp: no rt_sigqueueinfo
# expect: denied

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(129, 1, 0, ctypes.create_string_buffer(128))
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
