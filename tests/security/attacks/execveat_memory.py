# family: processes
# does: writes a program to memory and executes it there
# contained by: seccomp: no memfd_create, no execveat
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
fd = libc.syscall(319, b"x", 0)
got = libc.syscall(322, fd, b"", None, None, 0x1000)
print("denied" if fd == -1 and got == -1 else f"escaped: memfd {fd}")
