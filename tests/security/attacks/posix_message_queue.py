# family: memory
# does: takes a POSIX message queue
# contained by: seccomp: no mq_open; RLIMIT_MSGQUEUE
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(240, b"q", 0o102, 0o600, None)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno in (1,) else f"escaped: {got}, errno {errno}")
