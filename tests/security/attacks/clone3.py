# family: processes
# does: clones by the new call, whose flags no filter can read
# contained by: seccomp: as if the kernel were older
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(435, ctypes.create_string_buffer(88), 88)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1, 38) else f"escaped: {got}, errno {errno}")
