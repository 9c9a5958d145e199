# family: memory
# does: fills socket buffers, memory of the kernel
# contained by: RLIMIT_NOFILE
# expect: bounded
# most: 64
# without: rlimits

import _socket
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
ends = (ctypes.c_int * 2)()
total = 0
while libc.socketpair(1, 1, 0, ends) == 0:
    while (sent := libc.send(ends[0], bytes(65536), 65536, 0x4040)) > 0:
        total += sent
    if total > 1 << 28:
        break
print("bounded", total >> 20)
