# family: memory
# does: takes System V shared memory, which outlives it
# contained by: seccomp: no shmget; the ipc namespace behind it
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(29, 0, 1 << 20, 0o1600)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
