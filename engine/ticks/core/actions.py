"""What a seat may choose, and carrying a tick out (RULES 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, ONE
from engine.ticks.core.tables import (
    FROM_DISCARD,
    FROM_RESERVE,
    FROM_SLOT,
    NONE,
    PILE,
    STALL_LIMIT,
    STOPS,
    SUIT,
    TURNS,
    WAITS,
)

if TYPE_CHECKING:
    from engine.ticks.core.core import TickCore


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def choices(core: TickCore, seat: cython.int) -> cython.int:
    """The set of what a seat may choose."""
    if core._over:
        return 0
    found: cython.int = 1 << WAITS
    place: cython.int
    n: cython.int = core.count[seat]
    if n:
        if fits(core, core.cards[PILE * seat + n - 1]):
            found |= 1 << FROM_RESERVE
    else:
        found |= 1 << STOPS
    for place in range(4):
        if fits(core, core.slots[4 * seat + place]):
            found |= 1 << (FROM_SLOT + place)
    hand: cython.int = core.count[2 + seat]
    n = core.count[4 + seat]
    if not found & 0x3E and (hand or n):
        found |= 1 << TURNS
    if n and fits(core, core.cards[PILE * (4 + seat) + n - 1]):
        found |= 1 << FROM_DISCARD
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def fits(core: TickCore, kind: cython.int) -> cython.int:
    """Whether a foundation is due the card."""
    return (core.due >> kind) & 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def look(core: TickCore, suit: cython.int) -> cython.void:
    """Bring `due` up to date for a suit."""
    low: cython.int = 13 * suit
    core.due &= ALL64 ^ (SUIT << low)
    if core.heights[2 * suit] < 13:
        core.due |= ONE << (low + core.heights[2 * suit])
    if core.heights[2 * suit + 1] < 13:
        core.due |= ONE << (low + core.heights[2 * suit + 1])


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def play(core: TickCore, first: cython.int, second: cython.int) -> cython.void:
    """Carry a tick out in which seat 0 chose `first` and seat 1 `second`."""
    seat: cython.int = core._tick & 1
    action: cython.int = second if seat else first
    other: cython.int = first if seat else second
    played: cython.int = act(core, seat, action)
    played |= act(core, 1 - seat, other)
    core._stall = 0 if played else core._stall + 1
    core._tick += 1
    if action == STOPS:
        core._stopper = seat
    elif other == STOPS:
        core._stopper = 1 - seat
    elif not core._left[seat]:
        core._stopper = seat
    elif not core._left[1 - seat]:
        core._stopper = 1 - seat
    core._over = core._stopper >= 0 or core._stall >= STALL_LIMIT


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def act(core: TickCore, seat: cython.int, action: cython.int) -> cython.int:
    """Carry one seat's action out; whether a card was played."""
    if action >= STOPS:
        if action == TURNS:
            turn_card(core, seat)
        return 0
    kind: cython.int
    pile: cython.int = seat if action == FROM_RESERVE else 4 + seat
    place: cython.int = 4 * seat + action - FROM_SLOT
    if action >= FROM_SLOT:
        kind = core.slots[place]
    else:
        kind = core.cards[PILE * pile + core.count[pile] - 1]
    if not fits(core, kind):
        return 0  # the other came first: it stays where it is
    if action < FROM_SLOT:
        core.count[pile] -= 1
    elif core.count[seat]:
        core.count[seat] -= 1
        core.slots[place] = core.cards[PILE * seat + core.count[seat]]
    else:
        core.slots[place] = NONE
    core._left[seat] -= 1
    place_on_foundation(core, seat, kind)
    return 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def turn_card(core: TickCore, seat: cython.int) -> cython.void:
    """The top of the hand on the discard; an empty hand is first renewed from it."""
    hand: cython.int = PILE * (2 + seat)
    discard: cython.int = PILE * (4 + seat)
    n: cython.int = core.count[4 + seat]
    place: cython.int
    if not core.count[2 + seat]:
        for place in range(n):
            core.cards[hand + place] = core.cards[discard + n - 1 - place]
        core.count[2 + seat] = n
        n = 0
    core.count[2 + seat] -= 1
    core.cards[discard + n] = core.cards[hand + core.count[2 + seat]]
    core.count[4 + seat] = n + 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def place_on_foundation(core: TickCore, seat: cython.int, kind: cython.int) -> cython.void:
    """Put a card on the first foundation that is due it."""
    suit: cython.int = kind // 13
    rank: cython.int = kind - 13 * suit
    if core.heights[2 * suit] == rank:
        core.heights[2 * suit] = rank + 1
    else:
        core.heights[2 * suit + 1] = rank + 1
    if rank == 12:
        core.completed[seat] += 1
    look(core, suit)
