"""64 bits of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, MIX1, MIX2, mix
from engine.turns.core.state import pack_counters
from engine.turns.core.tables import NONE

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def hash_position(core: Core, canonical: cython.int) -> cython.ulonglong:
    """Every pile as a polynomial of its kinds, mixed with the pile's number and added up."""
    total: cython.ulonglong = 0
    one: cython.ulonglong
    pile: cython.int
    card: cython.int
    seat: cython.int
    for pile in range(29):
        if 4 * core._players <= pile < 16 or (pile >= 16 and pile < 28 and (pile & 3) >= core._players):
            continue
        one = 1
        card = core.top[pile]
        while card != NONE:
            one = (one * MIX1 + (card >> 2) + 1) & ALL64
            card = core.below[card]
        if canonical and pile < 16:
            total += mix((one + GOLDEN) & ALL64)
        else:
            total += mix((one + GOLDEN * (pile + 2)) & ALL64)
        total &= ALL64
    one = core._turn if canonical == 2 else pack_counters(core)
    for seat in range(core._players):
        one = mix((one * MIX2 + (0 if canonical == 2 else core.completed[seat])) & ALL64)
        for pile in range(4):
            one = (one * MIX1 + core.heights[4 * pile + seat]) & ALL64
    if canonical != 2:
        one = mix((one + core.emptied) & ALL64)
        one = mix((one + core.out) & ALL64)
    return mix((total + one) & ALL64)
