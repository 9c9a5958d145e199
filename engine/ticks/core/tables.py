"""The numbers of the core: cards, actions and piles (RULES 7)."""

from __future__ import annotations

import cython

NOTHING = 52
HIDDEN = 53

# Actions as in ticks.position.ACTIONS: d-f, r-f, s1-f to s4-f, then these.
STOP = 6
TURN = 7
WAIT = 8

# Piles of `pile`.
RESERVE = 0
HAND = 1
DISCARD = 2

FROM_DISCARD = cython.declare(cython.int, 0)
FROM_RESERVE = cython.declare(cython.int, 1)
FROM_SLOT = cython.declare(cython.int, 2)
STOPS = cython.declare(cython.int, 6)
TURNS = cython.declare(cython.int, 7)
WAITS = cython.declare(cython.int, 8)
NONE = cython.declare(cython.int, 52)
UNSEEN = cython.declare(cython.int, 53)  # `HIDDEN`
STALL_LIMIT = cython.declare(cython.int, 200)
PILE = cython.declare(cython.int, 56)  # room of a pile
AHEAD = cython.declare(cython.int, 12)  # ticks that the planner looks ahead
ROUNDS = cython.declare(cython.int, 60)  # of its fictitious play
SURE = cython.declare(cython.double, 25.0)  # what a won game is worth to it, in points
RESERVE_CARD = cython.declare(cython.double, 1.5)  # and a card of the reserve
BELIEF = cython.declare(cython.double, 0.5)  # how much of the other's choice it takes for natural
KING = cython.declare(cython.int, 12)
NATURAL = cython.declare(cython.uchar[16])  # what it takes for natural: slots, reserve, discard, turn, wait

SUIT = cython.declare(cython.ulonglong, 0x1FFF)  # the thirteen kinds of the first suit

if not cython.compiled:
    NATURAL = [0] * 16


def _fill_natural() -> None:
    """The order in which a seat naturally plays, best first, for both seats."""
    for index, action in enumerate((2, 3, 4, 5, 1, 0, 7, 8) * 2):
        NATURAL[index] = action


_fill_natural()

LISTED: list[tuple[int, ...]] = [
    tuple(action for action in range(9) if mask >> action & 1) for mask in range(512)
]
"""The actions of every set of them."""
