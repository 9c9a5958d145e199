"""A classic BPF machine, enough for seccomp: what a filter answers, without asking a kernel."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

AUDIT_ARCH_X86_64 = 0xC000003E
ANSWERS = {
    0x7FFF0000: "allow",
    0x00050001: "EPERM",
    0x0005000B: "EAGAIN",
    0x00050026: "ENOSYS",
    0x80000000: "kill",
    0x00000000: "kill",
}
LOAD, RETURN, AND = 0x20, 0x06, 0x54
JUMPS: dict[int, Callable[[int, int], bool]] = {
    0x15: lambda accumulator, value: accumulator == value,
    0x25: lambda accumulator, value: accumulator > value,
    0x35: lambda accumulator, value: accumulator >= value,
    0x45: lambda accumulator, value: bool(accumulator & value),
}


def answer(
    program: bytes, number: int, arguments: tuple[int, ...] = (0,) * 6, arch: int = AUDIT_ARCH_X86_64
) -> str:
    """What `program` says to a system call: "allow", "EPERM", "EAGAIN", "ENOSYS" or "kill"."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *(argument & 0xFFFFFFFFFFFFFFFF for argument in arguments))
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator = counter = 0
    while True:
        code, yes, no, value = instructions[counter]
        counter += 1
        if code == RETURN:
            return ANSWERS[value]
        if code == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == AND:
            accumulator &= value
        elif code == 0x05:
            counter += value
        else:
            counter += yes if JUMPS[code](accumulator, value) else no
