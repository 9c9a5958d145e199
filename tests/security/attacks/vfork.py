# family: processes
# does: forks by the oldest trick
# contained by: seccomp: no vfork; RLIMIT_NPROC behind it
# expect: denied

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
input()
pid = libc.syscall(58)
if pid == 0:
    os._exit(0)
print("denied" if pid == -1 else f"escaped: {pid}")
