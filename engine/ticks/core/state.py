"""Copies of a core, other cards in it, and what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.ticks.core.tables import NONE, PILE

if TYPE_CHECKING:
    from engine.ticks.core.core import TickCore


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def become(core: TickCore, other: TickCore) -> cython.void:
    """Be as the other is, and share nothing with it."""
    if cython.compiled:
        core.cards[:] = other.cards
        core.count[:] = other.count
        core.slots[:] = other.slots
        core.heights[:] = other.heights
        core.completed[:] = other.completed
        core._left[:] = other._left
    else:
        core.cards, core.count, core.slots = other.cards[:], other.count[:], other.slots[:]
        core.heights, core.completed, core._left = other.heights[:], other.completed[:], other._left[:]
    core.due, core._stall, core._over = other.due, other._stall, other._over
    core._stopper, core._tick = other._stopper, other._tick


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def rename(core: TickCore, names: cython.p_uchar, at: cython.int) -> cython.void:
    """Put other cards in the place of these, by 108 names from there on."""
    index: cython.int
    place: cython.int
    own: cython.int
    for index in range(6):
        own = at + 54 * (index & 1)
        for place in range(PILE * index, PILE * index + core.count[index]):
            core.cards[place] = names[own + core.cards[place]]
    for index in range(8):
        core.slots[index] = names[at + 54 * (index >> 2) + core.slots[index]]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def same(core: TickCore, other: TickCore) -> cython.int:
    """Whether both are at the same point of a game, with every card in the same place."""
    index: cython.int
    place: cython.int
    if core._tick != other._tick or core._stall != other._stall or core._stopper != other._stopper:
        return 0
    for index in range(8):
        if core.slots[index] != other.slots[index] or core.heights[index] != other.heights[index]:
            return 0
    for index in range(6):
        if core.count[index] != other.count[index]:
            return 0
        for place in range(PILE * index, PILE * index + core.count[index]):
            if core.cards[place] != other.cards[place]:
                return 0
    return core._over == other._over and core.completed[0] == other.completed[0]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def top(core: TickCore, pile: cython.int) -> cython.int:
    """The kind on top of a pile, `NOTHING` if it is empty."""
    n: cython.int = core.count[pile]
    return core.cards[PILE * pile + n - 1] if n else NONE


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def count_points(core: TickCore, seat: cython.int) -> cython.int:
    """`points`, for the core itself."""
    made: cython.int = 10 * core.completed[seat] + 52 - core._left[seat]
    return made + 20 if core._stopper == seat else made
