"""Arithmetic on 64 bits, and the random numbers of both cores.

A part of each core: `setup.py` joins it with the others before it compiles them.
"""

from __future__ import annotations

import cython

# 64-bit constants live in variables: a literal above 2**31 would become a Python object when compiled.
ONE = cython.declare(cython.ulonglong, 1)
ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def mix(value: cython.ulonglong) -> cython.ulonglong:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    value = ((value ^ (value >> 30)) * MIX1) & ALL64
    value = ((value ^ (value >> 27)) * MIX2) & ALL64
    return value ^ (value >> 31)
