"""A position of two seats in a few dozen bytes, and what a search knows it by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, ONE, mix
from engine.turns.core.state import retop
from engine.turns.core.tables import EMPTY, NONE, P_DISCARD, P_DRAWN, P_HAND, P_RESERVE

if TYPE_CHECKING:
    from engine.turns.core.core import Core

MOST_BYTES = cython.declare(cython.int, 144)  # 15 counters, 15 numbers of cards, 104 cards at most


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def place_of_pile(number: cython.int) -> cython.int:
    """The piles of two seats, counted from 0: houses, reserves, discards, hands, the drawn card."""
    if number < 8:
        return number
    if number < 10:
        return P_RESERVE + number - 8
    if number < 12:
        return P_DISCARD + number - 10
    if number < 14:
        return P_HAND + number - 12
    return P_DRAWN


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def write_position(core: Core, room: cython.p_uchar, at: cython.longlong) -> cython.longlong:
    """Write a position that goes on, from `at` on; answers where it ends.

    Left out is what no longer decides who wins: completed foundations and who emptied its reserve.
    """
    number: cython.int
    count: cython.longlong
    card: cython.int
    for number in range(4):
        room[at + 2 * number] = core.heights[4 * number]
        room[at + 2 * number + 1] = core.heights[4 * number + 1]
    room[at + 8], room[at + 9], room[at + 10] = core._turn, core.stall, core.passes
    room[at + 11], room[at + 12], room[at + 13] = core.mute, core.lay, core.quota
    room[at + 14] = core.idle
    at += 15
    for number in range(15):
        count = at
        card = core.top[place_of_pile(number)]
        at += 1
        while card != NONE:
            room[at] = card
            at += 1
            card = core.below[card]
        room[count] = at - count - 1
    return at


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def read_position(core: Core, room: cython.p_uchar, at: cython.longlong) -> cython.void:
    """Set a core of the same variant up as what `write_position` wrote."""
    number: cython.int
    index: cython.int
    size: cython.int
    pile: cython.int
    under: cython.int
    core.due = 0
    for number in range(8):
        size = room[at + number]
        core.heights[4 * (number >> 1) + (number & 1)] = size
        if size < 13:
            core.due |= ONE << (13 * (number >> 1) + size)
    core._turn, core.stall, core.passes = room[at + 8], room[at + 9], room[at + 10]
    core.mute, core.lay, core.quota, core.idle = room[at + 11], room[at + 12], room[at + 13], room[at + 14]
    core.base = 512 * core._turn
    core._over = core.last = core.ready = 0
    at += 15
    for number in range(15):
        pile = place_of_pile(number)
        size = room[at]
        under = NONE
        for index in range(size, 0, -1):
            core.below[room[at + index]] = under
            under = room[at + index]
        core.top[pile] = under
        at += size + 1
    for index in range(56):
        core.at[index] = 0
    core.at[EMPTY] = 255
    core.link[0] = 0
    core.fit = 0
    for number in range(8):
        retop(core, number, EMPTY, core.top[number] >> 2)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def position_key(core: Core, code: cython.ulonglong, extra: cython.ulonglong) -> cython.ulonglong:
    """64 bits of what decides who wins, the same for every order of the houses, given the number of the table
    (`planning.hash_whole_table`); never 0."""
    key: cython.ulonglong = core.passes | core.mute << 4 | core.lay << 8 | core.quota << 12 | core._turn << 14
    key = (mix((GOLDEN * (key + 1)) & ALL64) + GOLDEN * (extra + 1)) & ALL64
    return mix((mix(key) + code) & ALL64) | 1
