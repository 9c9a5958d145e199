"""The state of a core as it is set up, copied and compared, and the sets of houses by what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64
from engine.turns.core.tables import (
    CLEAR,
    COLUMN,
    DOWN1,
    DOWN2,
    NONE,
    P_DRAWN,
    P_RESERVE,
    ROW16,
    SPREAD,
    SPREAD4,
    STALL_LIMIT,
    UP1,
    UP2,
)

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
def fill(core: Core, pile: cython.int, cards) -> cython.void:
    """Put the cards, bottom to top, on an empty pile."""
    under: cython.int = NONE
    card: cython.int
    for card in cards:
        core.below[card] = under
        under = card
    core.top[pile] = under


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def ending(core: Core) -> cython.int:
    """Why the game is over, or 0: a win goes before a stall, a stall before passes (RULES 3)."""
    if core.n_out >= core._players - 1:
        return 1
    if core.stall >= STALL_LIMIT:
        return 2
    if core.passes >= core._players - core.n_out:
        return 3
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def retop(core: Core, house: cython.int, old: cython.int, new: cython.int) -> cython.void:
    """A house showed a card of kind `old` and now shows `new`: keep the sets of houses right."""
    at = core.at
    bit: cython.int = 1 << house
    place: cython.int = core.build + new
    word: cython.int
    at[old] ^= bit
    at[new] |= bit
    row: cython.ulonglong = at[UP1[place]] | at[UP2[place]]
    column: cython.ulonglong = at[DOWN1[place]] | at[DOWN2[place]]
    core.fit &= ~bit
    if (core.due >> new) & 1:
        core.fit |= bit
    if not core.wide:
        core.link[0] = core.link[0] & CLEAR[house] | row << (8 * house) | SPREAD[column] << house
        return
    for word in range(4):
        core.link[word] = (core.link[word] & (ALL64 ^ COLUMN << house)) | SPREAD4[
            column >> 4 * word & 15
        ] << house
    word = house >> 2
    house = 16 * (house & 3)
    core.link[word] = core.link[word] & (ALL64 ^ ROW16 << house) | row << house


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def become(core: Core, other: Core) -> cython.void:
    """Be as the other is, and share nothing with it."""
    if cython.compiled:
        core.below[:] = other.below
        core.top[:] = other.top
        core.at[:] = other.at
        core.heights[:] = other.heights
        core.completed[:] = other.completed
        core.link[:] = other.link
        core.words[:] = other.words
    else:
        core.below, core.top, core.at = other.below[:], other.top[:], other.at[:]
        core.heights, core.completed = other.heights[:], other.completed[:]
        core.link, core.words = other.link[:], other.words[:]
    core.due, core.fit = other.due, other.fit
    core._players, core.wide, core.build = other._players, other.wide, other.build
    core.needs_room, core.own_discard = other.needs_room, other.own_discard
    core.must_place, core.drawing, core.order = other.must_place, other.drawing, other.order
    core.scheme, core._turn, core._over = other.scheme, other._turn, other._over
    core.lay, core.quota, core.idle, core.stall = other.lay, other.quota, other.idle, other.stall
    core.passes, core.mute, core.last = other.passes, other.mute, other.last
    core.ready, core.best = other.ready, other.best
    core.n_emptied, core.n_out, core.emptied, core.out = (
        other.n_emptied,
        other.n_out,
        other.emptied,
        other.out,
    )
    core.base, core._turn_number = other.base, other._turn_number


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def same(core: Core, other: Core) -> cython.int:
    """Whether both are at the same point of a game, with every card in the same place."""
    index: cython.int
    if pack_counters(core) != pack_counters(other) or core._turn_number != other._turn_number:
        return 0
    for index in range(P_DRAWN + 1):
        if core.top[index] != other.top[index]:
            return 0
    for index in range(16):
        if core.heights[index] != other.heights[index]:
            return 0
    for index in range(NONE):
        if core.below[index] != other.below[index]:
            return 0
    return (
        core._over == other._over
        and core.completed[0] == other.completed[0]
        and core.emptied == other.emptied
        and core.out == other.out
    )


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def rename(core: Core, other: Core, names: cython.p_uchar, at: cython.int) -> cython.void:
    """Let the names from `at` on lie in the places of the cards that the other has, as `exchanged`."""
    index: cython.int
    for index in range(NONE):
        core.below[names[at + index]] = names[at + other.below[index]]
    for index in range(P_RESERVE, P_DRAWN + 1):
        core.top[index] = names[at + other.top[index]]
    core.ready = False


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def pile_size(core: Core, number: cython.int) -> cython.int:
    """`size`, for the core itself."""
    count: cython.int = 0
    card: cython.int = core.top[number]
    while card != NONE:
        count += 1
        card = core.below[card]
    return count


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def pack_counters(core: Core) -> cython.ulonglong:
    """The counters, phase and turn in 39 bits: what an undo restores."""
    state: cython.ulonglong = (
        core.idle | core.stall << 7 | core.passes << 15 | core.mute << 18 | core.last << 22
    )
    state |= core.lay << 24 | core.quota << 27 | core._turn << 29
    counts: cython.ulonglong = core.n_emptied | core.n_out << 3
    return state | counts << 31
