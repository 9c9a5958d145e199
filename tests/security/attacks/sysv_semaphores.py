# family: memory
# does: takes System V semaphores
# contained by: seccomp: no semget; the ipc namespace behind it
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(64, 0, 32000, 0o1600)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
