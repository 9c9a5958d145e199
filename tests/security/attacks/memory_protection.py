# family: kernel interfaces
# does: uses memory keys and remapped pages
# contained by: seccomp: not on the list
# expect: denied

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
got = [libc.syscall(nr, *args) for nr, args in ((329, (0, 0, 0, -1)), (330, (0, 3)), (216, (0, 0, 0, 0, 0)))]
print("denied" if got == [-1, -1, -1] else f"escaped: {got}")
