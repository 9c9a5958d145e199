"""Moves with a way back: the token of a push, and taking it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ONE
from engine.turns.core.applying import apply, flip
from engine.turns.core.state import pack_counters, retop
from engine.turns.core.tables import (
    NONE,
    P_DISCARD,
    P_DRAWN,
    P_FOUNDATION,
    P_HAND,
    P_PASS,
    SOURCE,
    STOPPED,
    TARGET,
)

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def push(core: Core, move: cython.int) -> cython.ulonglong:
    """Apply and answer what `_undo` needs: state, move (9 bits), card and flip (9), turn ended (1)."""
    state: cython.ulonglong = pack_counters(core)
    number: cython.int = core._turn_number
    moved: cython.ulonglong = apply(core, move) << 9 | move
    ended: cython.ulonglong = core._turn_number - number
    return state | moved << 37 | ended << 55


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def undo(core: Core, token: cython.ulonglong) -> cython.void:
    """Take back the move that `_push` answered `token` for."""
    top = core.top
    below = core.below
    turn: cython.int = token >> 29 & 3
    move: cython.int = token >> 37 & 511
    card: cython.int = token >> 46 & 255
    place: cython.int
    source: cython.int
    target: cython.int
    under: cython.int
    core.idle = token & 127
    core.stall = token >> 7 & 255
    core.passes = token >> 15 & 7
    core.mute = token >> 18 & 15
    core.last = token >> 22 & 3
    core.lay = token >> 24 & 7
    core.quota = token >> 27 & 3
    core.n_emptied = token >> 31 & 7
    core.n_out = token >> 34 & 7
    core.emptied &= (1 << 4 * core.n_emptied) - 1
    core.out &= (1 << 4 * core.n_out) - 1
    core._turn = turn
    core._turn_number -= token >> 55 & 1
    core._over = 0
    core.ready = False
    core.base = 512 * (4 * (core._players - 2) + turn)
    if move == STOPPED:
        if card != NONE:  # the card in the air had gone to the mover's discard
            top[P_DISCARD + turn] = below[card]
            below[card] = NONE
            top[P_DRAWN] = card
        return
    place = core.base + move
    source = SOURCE[place]
    target = TARGET[place]
    if source == P_PASS:
        return
    if source == P_HAND + turn:
        top[P_DRAWN] = NONE
        below[card] = top[source]
        top[source] = card
        if token >> 54 & 1:
            flip(core, source, P_DISCARD + turn)
        return
    if target == P_FOUNDATION:
        unfound(core, card >> 2)
    else:
        under = below[card]
        top[target] = under
        if target < 16:
            retop(core, target, card >> 2, under >> 2)
    under = top[source]
    below[card] = under
    top[source] = card
    if source < 16:
        retop(core, source, under >> 2, card >> 2)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def unfound(core: Core, kind: cython.int) -> cython.void:
    """Take the card back from its foundation: the last one of its suit that is so high."""
    at = core.at
    height: cython.int = kind % 13 + 1
    first: cython.int = 4 * (kind // 13)
    index: cython.int = first + core._players - 1
    while core.heights[index] != height:
        index -= 1
    core.heights[index] = height - 1
    if height < 13:
        if index == first or core.heights[index - 1] != height:
            core.due ^= ONE << (kind + 1)
            core.fit &= ~at[kind + 1]
    else:
        core.completed[core._turn] -= 1
    core.due |= ONE << kind
    core.fit |= at[kind]
