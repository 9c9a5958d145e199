# family: kernel interfaces
# does: calls the kernel through the 32-bit table, whose numbers mean other things
# contained by: seccomp: another architecture ends the process
# expect: forbidden
# without: seccomp

import ctypes
import mmap

page = mmap.mmap(
    -1,
    4096,
    flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
    prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
input()
print("escaped: the 32-bit table answered", call())
