"""What a seat may know of a game, as bytes (`Batch` describes them)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.tables import NONE, P_DISCARD, P_DRAWN, P_HAND, P_RESERVE, STOPPABLE

if TYPE_CHECKING:
    from engine.turns.core.core import Core

DEEP = cython.declare(cython.int, 13)  # how many cards of a house are written
A_RESERVE = cython.declare(cython.int, 16)  # of a reserve
A_PILE = cython.declare(cython.int, 52)  # of a discard or a hand
A_COUNT = cython.declare(cython.int, 120)  # where a seat's numbers of cards are
A_SEAT = cython.declare(cython.int, 123)  # the bytes of a seat's piles
UNSEEN = cython.declare(cython.int, 53)  # stands for a card that nobody has seen


@cython.ccall
@cython.exceptval(check=False)
@cython.nogil
def size_of(players: cython.int) -> cython.int:
    """The bytes of one observation."""
    return 4 * players * (DEEP + 1) + players * (A_SEAT + 52 + 2) + 8


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def blank(room: cython.p_uchar, start: cython.int, size: cython.int) -> cython.void:
    """Set bytes to 0."""
    index: cython.int
    for index in range(start, start + size):
        room[index] = 0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def write_seen(
    seen: cython.p_uchar,
    at: cython.int,
    game: Core,
    seat: cython.int,
    known: cython.p_ulonglong,
    first: cython.int,
    hide: cython.int,
    shared: cython.int,
) -> cython.void:
    """Write what a seat may know of a game to `seen` from `at` on, as `Batch` describes it.

    `known` holds from `first` on the ids of the cards that were seen; `hide` says whether the others are
    hidden, and `shared` whether they are counted for both seats together.
    """
    top = game.top
    players: cython.int = game._players
    step: cython.int
    number: cython.int
    pools: cython.int
    _: cython.int
    blank(seen, at, size_of(players))
    for number in range(4 * players):
        write_house(seen, at, game, top[number])
        at += DEEP
    for number in range(4):
        for step in range(players):
            seen[at] = game.heights[4 * number + step]
            at += 1
    pools = at + players * A_SEAT
    for step in range(players):
        number = pools if shared else pools + 52 * step
        seen[at + A_COUNT] = write_pile(
            seen, at, A_RESERVE, game, top[P_RESERVE + seat], known, first, hide, number
        )
        at += A_RESERVE
        seen[at + A_COUNT - A_RESERVE + 1] = write_pile(
            seen, at, A_PILE, game, top[P_DISCARD + seat], known, first, hide, number
        )
        at += A_PILE
        seen[at + A_COUNT - A_RESERVE - A_PILE + 2] = write_pile(
            seen, at, A_PILE, game, top[P_HAND + seat], known, first, hide, number
        )
        at += A_SEAT - A_RESERVE - A_PILE
        seat = seat + 1 if seat + 1 < players else 0
    if shared:
        for number in range(pools, pools + 52):
            seen[number + 52] = seen[number]
    at += 52 * players
    for _ in range(players):
        seen[at] = game.completed[seat]
        seen[at + 1] = game.order == STOPPABLE and not game.mute >> seat & 1
        at += 2
        seat = seat + 1 if seat + 1 < players else 0
    seen[at] = 0 if top[P_DRAWN] == NONE else 1 + (top[P_DRAWN] >> 2)
    seen[at + 1], seen[at + 2], seen[at + 3] = game.idle, game.stall, game.passes
    seen[at + 4], seen[at + 5] = game.lay, game.quota
    # Whether an action was regular is nothing that all may know, only that there was one (RULES 1).
    seen[at + 6] = 3 if hide and game.last else game.last
    seen[at + 7] = game._turn


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def write_house(seen: cython.p_uchar, at: cython.int, game: Core, top: cython.int) -> cython.void:
    """Write a house, bottom to top."""
    below = game.below
    card: cython.int = top
    end: cython.int = at
    while card != NONE:
        end += 1
        card = below[card]
    card = top
    while card != NONE:
        end -= 1
        if end < at + DEEP:
            seen[end] = 1 + (card >> 2)
        card = below[card]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def write_pile(
    seen: cython.p_uchar,
    at: cython.int,
    most: cython.int,
    game: Core,
    card: cython.int,
    known: cython.p_ulonglong,
    first: cython.int,
    hide: cython.int,
    pool: cython.int,
) -> cython.int:
    """Write a pile from the top down, and count its unseen cards in a pool; answers how many cards it has."""
    below = game.below
    count: cython.int = 0
    shown: cython.int
    while card != NONE:
        shown = 1 + (card >> 2)
        if hide and not (known[first + (card >> 6)] >> (card & 63)) & 1:
            seen[pool + shown - 1] += 1
            shown = UNSEEN
        if count < most:
            seen[at + count] = shown
        count += 1
        card = below[card]
    return count
