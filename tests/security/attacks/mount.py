# family: kernel interfaces
# does: mounts a file system to write in
# contained by: seccomp: ends whoever tries
# expect: forbidden
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(165, b"none", b"/tmp", b"tmpfs", 0, None)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in () else f"escaped: {got}, errno {errno}")
