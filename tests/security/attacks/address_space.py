# family: memory
# does: reserves address space to fill with page tables
# contained by: RLIMIT_AS
# expect: bounded
# most: 512
# without: rlimits

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]
input()
size = 1 << 46
while size and libc.mmap(None, size, 1, 0x4022, -1, 0) == (1 << 64) - 1:
    size >>= 1
print("bounded", size >> 20)
