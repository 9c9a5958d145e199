"""SHA-256 of short messages inside the core, where no interpreter is asked (FIPS 180-4).

A part of the core of turns: `setup.py` joins it with the others before it compiles them. Whoever has an
interpreter at hand takes `hashlib`.
"""

from __future__ import annotations

import cython

LONGEST = 55
"""The most bytes of a message that fits one block."""

ALL32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)
CONSTANTS = cython.declare(cython.uint[64])
BEGINNING = cython.declare(cython.uint[8])

if not cython.compiled:
    CONSTANTS, BEGINNING = [0] * 64, [0] * 8


def _root(radicand: int, degree: int) -> int:
    """The first 32 bits after the point of a root."""
    scaled = radicand << 32 * degree
    low, high = 0, 1 << 36
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= scaled else (low, middle - 1)
    return low & 0xFFFFFFFF


def _fill_constants() -> None:
    """The roots of the first primes that the standard begins with (FIPS 180-4, 4.2.2 and 5.3.3)."""
    primes = [number for number in range(2, 312) if all(number % other for other in range(2, number))]
    for index, prime in enumerate(primes):
        CONSTANTS[index] = _root(prime, 3)
    for index in range(8):
        BEGINNING[index] = _root(primes[index], 2)


_fill_constants()


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def rotate(word: cython.ulonglong, by: cython.int) -> cython.ulonglong:
    """32 bits rotated to the right."""
    return (word >> by | word << (32 - by)) & ALL32


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def digest(message: cython.p_uchar, size: cython.int, out: cython.p_uint) -> cython.void:
    """Write the eight words of the SHA-256 of `size` bytes, at most `LONGEST`, to `out`."""
    words: cython.uint[64]
    state: cython.ulonglong[8]
    index: cython.int
    one: cython.ulonglong
    two: cython.ulonglong
    if not cython.compiled:
        words, state = [0] * 64, [0] * 8
    for index in range(16):
        words[index] = 0
    for index in range(size):
        words[index >> 2] |= cython.cast(cython.uint, message[index]) << (24 - 8 * (index & 3))
    words[size >> 2] |= cython.cast(cython.uint, 128) << (24 - 8 * (size & 3))
    words[15] = 8 * size
    for index in range(16, 64):
        one, two = words[index - 15], words[index - 2]
        one = rotate(one, 7) ^ rotate(one, 18) ^ one >> 3
        two = rotate(two, 17) ^ rotate(two, 19) ^ two >> 10
        words[index] = (one + two + words[index - 16] + words[index - 7]) & ALL32
    for index in range(8):
        state[index] = BEGINNING[index]
    for index in range(64):
        one = rotate(state[4], 6) ^ rotate(state[4], 11) ^ rotate(state[4], 25)
        one += (state[4] & state[5]) ^ ((state[4] ^ ALL32) & state[6])
        one += state[7] + CONSTANTS[index] + words[index]
        two = rotate(state[0], 2) ^ rotate(state[0], 13) ^ rotate(state[0], 22)
        two += (state[0] & state[1]) ^ (state[0] & state[2]) ^ (state[1] & state[2])
        state[7], state[6], state[5] = state[6], state[5], state[4]
        state[4] = (state[3] + one) & ALL32
        state[3], state[2], state[1] = state[2], state[1], state[0]
        state[0] = (one + two) & ALL32
    for index in range(8):
        out[index] = (state[index] + BEGINNING[index]) & ALL32
