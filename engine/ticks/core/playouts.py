"""Playing a core on, at random or greedily."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.ticks.core.actions import choices, play
from engine.ticks.core.state import count_points
from engine.ticks.core.tables import STOPS, TURNS, WAITS

if TYPE_CHECKING:
    from engine.ticks.core.core import TickCore


@cython.cfunc
@cython.exceptval(check=False)
def pick_action(core: TickCore, seat: cython.int, chance: cython.int) -> cython.int:
    """One of the actions of a seat, by a random number of 16 bits."""
    mask: cython.int = choices(core, seat)
    action: cython.int
    count: cython.int = 0
    for action in range(9):
        count += (mask >> action) & 1
    skip: cython.int = (chance * count) >> 16
    for action in range(9):
        if (mask >> action) & 1:
            if not skip:
                return action
            skip -= 1
    return WAITS


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def play_greedily(
    core: TickCore, order: cython.p_uchar, by_cards: cython.int, limit: cython.int
) -> cython.int:
    """`play_greedily`, for the core itself."""
    ticks: cython.int = 0
    while not core._over and ticks < limit:
        play(core, first_of(core, 0, order, by_cards), first_of(core, 1, order, by_cards))
        ticks += 1
    return ticks


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def first_of(core: TickCore, seat: cython.int, order: cython.p_uchar, by_cards: cython.int) -> cython.int:
    """What a seat does in `play_greedily`."""
    mask: cython.int = choices(core, seat)
    index: cython.int
    ahead: cython.int
    if mask & (1 << STOPS):
        ahead = core._left[1 - seat] - core._left[seat]
        if not by_cards:
            ahead = count_points(core, seat) - count_points(core, 1 - seat) + 19
        if ahead > 0:
            return STOPS
    if not mask & 0x3F:
        return TURNS if mask & (1 << TURNS) else WAITS
    for index in range(8 * seat, 8 * seat + 8):
        if (mask >> order[index]) & 1:
            return order[index]
    return WAITS
