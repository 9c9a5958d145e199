# family: other processes
# does: takes the referee's processor time away by setting its limits
# contained by: seccomp: prlimit for itself alone
# expect: denied
# without: seccomp

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
input()
done = []
for pid in (os.getppid(), 1, os.getpid()):
    if libc.syscall(302, pid, 0, None, ctypes.create_string_buffer(16)) == 0:
        done.append(pid)
print(f"escaped: {done}" if done else "denied")
