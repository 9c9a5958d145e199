"""Hostile programs without an interpreter: a static ELF of a few bytes of machine code, no compiler needed.

Each reads a line, makes one system call again and again, and says in one line whether it was ever let.
"""

from __future__ import annotations

import struct

BASE = 0x400000
HEADERS = 64 + 2 * 56
DATA = BASE + 0x10000
SAID = {"denied": b"denied by the kernel\n", "escaped": b"escaped from its box\n"}
LENGTH = 21


def program(number: int, arguments: tuple[int, ...] = (), *, times: int = 1, enough: int = 1) -> bytes:
    """An executable that makes the call `times` times with these arguments.

    It says "escaped" when at least `enough` of them succeed, and "denied" otherwise; in a child or a new
    thread (the call answers 0 and RBX is still counting) it sleeps.
    """
    code = bytearray()
    code += move(0, 0) + move(7, 0) + move(6, DATA + 0x100) + move(2, 64) + SYSCALL  # read(0, data, 64)
    code += b"\x48\xc7\xc3" + struct.pack("<i", times)  # mov rbx, times
    code += b"\x45\x31\xed"  # xor r13d, r13d
    loop = len(code)
    code += move(0, number)
    for register, value in zip((7, 6, 2, 10, 8, 9), (*arguments, 0, 0, 0, 0, 0, 0), strict=False):
        code += move(register, value)
    code += SYSCALL
    code += b"\x48\x85\xc0"  # test rax, rax
    code += b"\x78\x03"  # js over the next
    code += b"\x41\xff\xc5"  # inc r13d
    code += b"\x48\xff\xcb"  # dec rbx
    code += b"\x0f\x85" + struct.pack("<i", loop - len(code) - 6)  # jnz loop
    code += b"\x41\x81\xfd" + struct.pack("<i", enough)  # cmp r13d, enough
    code += move(6, DATA)  # rsi: "denied"
    code += b"\x7c\x0a" + move(6, DATA + 32)  # jl over: "escaped"
    code += move(0, 1) + move(7, 1) + move(2, LENGTH) + SYSCALL  # write(1, …)
    code += move(0, 231) + move(7, 0) + SYSCALL  # exit_group(0)
    return packed(bytes(code))


SYSCALL = b"\x0f\x05"


def move(register: int, value: int) -> bytes:
    """Movabs of a 64-bit value to a register by number (0 rax, 2 rdx, 6 rsi, 7 rdi, 8 to 10)."""
    prefix = b"\x49" if register > 7 else b"\x48"
    return prefix + bytes([0xB8 + register % 8]) + struct.pack("<Q", value & 0xFFFFFFFFFFFFFFFF)


def packed(code: bytes) -> bytes:
    """The ELF around it: one segment of code, one to write in."""
    data = SAID["denied"].ljust(32, b"\0") + SAID["escaped"].ljust(32, b"\0")
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE + HEADERS, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    size = HEADERS + len(code)
    offset = (size + 4095) // 4096 * 4096
    text = struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, size, size, 4096)
    rest = struct.pack("<IIQQQQQQ", 1, 6, offset, DATA, DATA, len(data), 0x1000, 4096)
    return (head + text + rest + code).ljust(offset, b"\0") + data
