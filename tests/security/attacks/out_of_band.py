# family: kernel interfaces
# does: uses out-of-band data on its own sockets, a corner of the kernel with a history
# contained by: seccomp: the flags of send and recv
# expect: denied
# without: seccomp

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
ends = (ctypes.c_int * 2)()
input()
libc.socketpair(1, 1, 0, ends)
got = libc.send(ends[0], b"x", 1, 1)
errno = ctypes.get_errno()
print("denied" if got == -1 and errno == 1 else f"escaped: {got}, errno {errno}")
