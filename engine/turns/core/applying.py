"""Carrying out a legal move, and the opponent's stop (RULES 3 to 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ONE
from engine.turns.core.generation import generate, is_irregular
from engine.turns.core.state import pack_counters, retop
from engine.turns.core.tables import (
    IRREGULAR,
    NONE,
    P_DISCARD,
    P_DRAWN,
    P_FOUNDATION,
    P_HAND,
    P_PASS,
    P_RESERVE,
    REGULAR,
    SOURCE,
    STALL_LIMIT,
    STOPPABLE,
    STOPPED,
    TARGET,
)

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def apply(core: Core, move: cython.int) -> cython.int:
    """Carry out a legal move; answers the card moved (208: none), +256 if the discard was turned over."""
    top = core.top
    below = core.below
    place: cython.int = core.base + move
    source: cython.int = SOURCE[place]
    target: cython.int = TARGET[place]
    card: cython.int
    under: cython.int
    turn: cython.int = core._turn
    if core.order == STOPPABLE:
        if not core.ready:
            generate(core)
        core.last = IRREGULAR if is_irregular(core, move) else REGULAR
    core.ready = False
    if source == P_PASS:
        pass_on(core)
        return NONE
    if source == P_HAND + turn:
        core.idle = core.passes = 0
        return draw(core)
    core.passes = 0
    card = top[source]
    under = below[card]
    top[source] = under
    if source < 16:
        retop(core, source, card >> 2, under >> 2)
    if target < 16:
        under = top[target]
        below[card] = under
        top[target] = card
        retop(core, target, under >> 2, card >> 2)
        if source < 16:
            core.idle += 1
            return card
    elif target == P_FOUNDATION:
        place_on_foundation(core, card >> 2)
    else:
        below[card] = top[target]
        top[target] = card
    core.idle = 0
    if source >= 16:
        if source < 20 and top[source] == NONE:
            core.emptied |= turn << (4 * core.n_emptied)
            core.n_emptied += 1
        if target == P_DISCARD + turn:
            end_turn(core)
        elif top[P_RESERVE + turn] == NONE and top[P_DISCARD + turn] == NONE and top[P_HAND + turn] == NONE:
            go_out(core)
    return card


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def draw(core: Core) -> cython.int:
    """Turn up the top of the hand; an empty hand is first renewed from the discard (RULES 3)."""
    top = core.top
    below = core.below
    turn: cython.int = core._turn
    flipped: cython.int = 0
    card: cython.int = top[P_HAND + turn]
    if card == NONE:
        flip(core, P_DISCARD + turn, P_HAND + turn)
        card = top[P_HAND + turn]
        flipped = 256
    top[P_HAND + turn] = below[card]
    below[card] = NONE
    top[P_DRAWN] = card
    if core.quota:
        core.quota -= 1
    return card | flipped


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def flip(core: Core, source: cython.int, target: cython.int) -> cython.void:
    """Turn a whole pile over onto an empty one: its bottom card becomes the top."""
    top = core.top
    below = core.below
    card: cython.int = top[source]
    under: cython.int = NONE
    after: cython.int
    while card != NONE:
        after = below[card]
        below[card] = under
        under = card
        card = after
    top[target] = under
    top[source] = NONE


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def place_on_foundation(core: Core, kind: cython.int) -> cython.void:
    """A card goes to the first foundation of its suit that is due it (RULES 1)."""
    at = core.at
    height: cython.int = kind % 13
    index: cython.int = 4 * (kind // 13)
    end: cython.int = index + core._players
    while core.heights[index] != height:
        index += 1
    core.heights[index] = height + 1
    core.stall = 0
    if index + 1 == end or core.heights[index + 1] != height:  # no second one waits for the same card
        core.due ^= ONE << kind
        core.fit &= ~at[kind]
    if height < 12:
        core.due |= ONE << (kind + 1)
        core.fit |= at[kind + 1]
    else:
        core.completed[core._turn] += 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def pass_on(core: Core) -> cython.void:
    """Nothing is left to draw, or the laying turn is done."""
    if not core.lay:
        core.passes += 1
    end_turn(core)
    if not core._over and core.passes >= core._players - core.n_out:
        core._over = 3


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def end_turn(core: Core) -> cython.void:
    """The turn passes to the next seat still in; laying turns count down (RULES 3, 6)."""
    seat: cython.int = core._turn
    core.idle = 0
    core.last = 0
    core.stall += 1
    core._turn_number += 1
    while True:
        seat += 1
        if seat == core._players:
            seat = 0
        if not is_out(core, seat):
            break
    core._turn = seat
    core.base = 512 * (4 * (core._players - 2) + seat)
    if core.lay:
        core.lay -= 1
        core.quota = 2 if core.lay else 0
    if core.stall >= STALL_LIMIT:
        core._over = 2


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def is_out(core: Core, seat: cython.int) -> cython.int:
    """Whether a seat has gone out."""
    place: cython.int
    for place in range(core.n_out):
        if core.out >> (4 * place) & 15 == seat:
            return 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def go_out(core: Core) -> cython.void:
    """The mover has no card left: a win, or with three or four seats the end of the turn (RULES 3)."""
    core.out |= core._turn << (4 * core.n_out)
    core.n_out += 1
    if core.n_out == core._players - 1:
        core._over = 1
        core.last = 0
    else:
        end_turn(core)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def call_stop(core: Core) -> cython.ulonglong:
    """`stop`, where it may be called."""
    top = core.top
    state: cython.ulonglong = pack_counters(core)
    number: cython.int = core._turn_number
    card: cython.int = NONE
    rightful: cython.int = core.last == IRREGULAR
    core.ready = False
    core.last = 0
    if rightful:
        card = top[P_DRAWN]
        if card != NONE:
            core.below[card] = top[P_DISCARD + core._turn]
            top[P_DISCARD + core._turn] = card
            top[P_DRAWN] = NONE
        end_turn(core)
    else:
        core.mute |= 2 >> core._turn
    moved: cython.ulonglong = card << 9 | STOPPED
    ended: cython.ulonglong = core._turn_number - number
    return state | moved << 37 | ended << 55


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def stoppable(core: Core) -> cython.int:
    """`can_stop`, for the core itself."""
    return core.order == STOPPABLE and core.last != 0 and not core._over and not core.mute & 2 >> core._turn


@cython.cfunc
@cython.exceptval(check=False)
def place_of(core: Core, kind: cython.int) -> cython.int:
    """Which of its suit's foundations waits for a card, counted from the highest."""
    suit: cython.int = kind // 13
    rank: cython.int = kind % 13
    place: cython.int = 0
    while place < 3 and core.heights[4 * suit + place] != rank:
        place += 1
    return place
