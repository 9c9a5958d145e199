# family: memory
# does: takes System V message queues
# contained by: seccomp: no msgget; the ipc namespace behind it
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(68, 0, 0o1600)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
