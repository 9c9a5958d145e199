"""Buffers as arrays of numbers: what batches write to and searches keep."""

from __future__ import annotations

import cython


@cython.cfunc
def shorts(room: cython.p_uchar) -> cython.p_short:
    """Bytes as 16-bit numbers."""
    if not cython.compiled:
        return room
    return cython.cast(cython.p_short, room)


@cython.cfunc
def ints(room: cython.p_uchar) -> cython.p_int:
    """Bytes as 32-bit numbers."""
    if not cython.compiled:
        return room
    return cython.cast(cython.p_int, room)


@cython.cfunc
def floats(room: cython.p_uchar) -> cython.p_float:
    """Bytes as floats."""
    if not cython.compiled:
        return room
    return cython.cast(cython.p_float, room)


@cython.cfunc
def longs(room: cython.p_uchar) -> cython.p_ulonglong:
    """Bytes as 64-bit numbers."""
    if not cython.compiled:
        return room
    return cython.cast(cython.p_ulonglong, room)
