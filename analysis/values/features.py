"""The network's inputs for a position, from the point of view of the seat to move.

Nothing here distinguishes suits of one colour, or the colours: a leg with renamed suits has the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.turns.core import DISCARD, DRAWN, HAND, HOUSE, RESERVE
from engine.variants import Build

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.turns.core import Core
    from engine.variants import Variant

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

EMPTY: Final = 52
UNKNOWN: Final = 53
TOPS: Final = slice(0, 8)
OPEN: Final = slice(8, 12)
"""Tops of the own reserve and discard, of the other's; then sizes from 12 on."""
WIDTH: Final = 42


def encode(core: Core, hidden: set[int]) -> list[int]:
    """Return a position as a row of integers; the seat to move always comes first."""
    me = core.turn
    other = 1 - me
    row = [core.top_of(house) >> 2 for house in range(HOUSE, HOUSE + 8)]
    for pile in (RESERVE + me, DISCARD + me, RESERVE + other, DISCARD + other):
        top = core.top_of(pile)
        row.append(UNKNOWN if top in hidden else top >> 2)
    row += [core.size(pile + seat) for seat in (me, other) for pile in (RESERVE, HAND, DISCARD)]
    for heights in core.heights_of():
        row += heights
    completed, emptied, _ = core.tally()
    state = core.state()
    row += [completed[me], completed[other], (0 if not emptied else 1 if emptied[0] == me else -1)]
    row += [state[1], state[2], state[4], core.size(DRAWN), core.top_of(DRAWN) >> 2]
    row += [core.size(house) for house in range(HOUSE, HOUSE + 8)]
    return row


@cache
def _tables(rules: Variant) -> tuple[Floats, Floats]:
    """For each top (empty and unknown last): which kinds build on it, which load onto it."""
    build, load = np.zeros((54, 52)), np.zeros((54, 52))
    for top in range(52):
        suit, rank = divmod(top, 13)
        for kind in range(52):
            other, low = divmod(kind, 13)
            red = suit in {1, 2}
            suits = other == suit if rules.build is Build.SUIT else (other in {1, 2}) != red
            ace = low == 0 and rules.build is Build.COLOURS_TO_TWO
            build[top, kind] = suits and low == rank - 1 and not ace
            load[top, kind] = other == suit and abs(low - rank) == 1
    return build, load


@dataclass(frozen=True, slots=True)
class EncodedPositions:
    """Positions to be valued: `rows` as `encode` has them (n, WIDTH), and by kind the unseen cards and the
    known cards of hand and discard, of the seat to move and the other (n, 2, 52)."""

    rows: Ints
    unseen: Floats
    known: Floats


def features(rules: Variant, batch: EncodedPositions) -> Floats:
    """The inputs of the network, (n, inputs), each about between -1 and 1."""
    rows = batch.rows
    build, load = _tables(rules)
    heights = rows[:, 18:26].reshape(-1, 4, 2)
    next_ranks = np.zeros((len(rows), 4, 14))
    first = np.arange(len(rows))[:, None]
    for copy in range(2):
        next_ranks[first, np.arange(4)[None, :], heights[:, :, copy]] = 1.0
    due = next_ranks[:, :, :13].reshape(-1, 52)
    tops = rows[:, TOPS]
    builds = np.minimum(build[tops].sum(axis=1), 1.0)
    room = (tops == EMPTY).sum(axis=1)
    open_table = _Open(due, builds, load, heights, room)
    sides = [_side(batch, side, open_table) for side in range(2)]
    sizes = rows[:, 34:42]
    whole = [
        room / 4.0,
        room > 0,
        room > 1,
        (sizes == 1).sum(axis=1) / 8.0,
        sizes.sum(axis=1) / 30.0,
        heights.sum(axis=(1, 2)) / 104.0,
        rows[:, 28],
        rows[:, 29] / 4.0,
        rows[:, 30] / 2.0,
        rows[:, 31] / 50.0,
        rows[:, 32],
        due.sum(axis=1) / 8.0,
        np.ones(len(rows)),
    ]
    columns: list[Any] = [*whole, *sides[0], *sides[1]]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


@dataclass(frozen=True, slots=True)
class _Open:
    """What can be done with a card: by kind, is it due on a foundation, does it build; which kinds load onto
    which top; the foundations; how many houses are empty."""

    due: Floats
    builds: Floats
    load: Floats
    heights: Ints
    room: Ints


def _side(batch: EncodedPositions, side: int, table: _Open) -> list[Any]:
    """Return the features of one seat: 0 is the seat to move, 1 the other."""
    rows, due, builds, load = batch.rows, table.due, table.builds, table.load
    heights, room = table.heights, table.room
    tops = rows[:, OPEN]
    theirs = tops[:, 2:] if side == 0 else tops[:, :2]
    reserve, hand, discard = (rows[:, 12 + 3 * side + number] for number in range(3))
    loads = np.minimum(load[theirs].sum(axis=1), 1.0)
    placed = np.minimum(due + builds + loads, 1.0)
    unseen, known = batch.unseen[:, side], batch.known[:, side]
    total = np.maximum(unseen.sum(axis=1), 1.0)
    seen = np.maximum(known.sum(axis=1), 1.0)
    out = [
        reserve / 13.0,
        reserve > 0,
        reserve <= 3,
        hand / 35.0,
        discard / 35.0,
        (reserve + hand + discard) / 48.0,
        (hand + discard) <= 5,
        hand == 0,
        (known.sum(axis=1) - discard) / 35.0,
        (unseen * due).sum(axis=1) / total * 3,
        (unseen * builds).sum(axis=1) / total,
        (unseen * loads).sum(axis=1) / total * 3,
        (unseen * placed).sum(axis=1) / total * 2 - 0.5,
        (known * due).sum(axis=1) / seen * 3,
        (known * placed).sum(axis=1) / seen * 2,
        unseen.sum(axis=1) / 47.0,
        rows[:, 26 + side] / 4.0,
    ]
    for place in range(2):
        top = tops[:, 2 * side + place]
        kind = np.minimum(top, 51)
        there = top < EMPTY
        line = np.arange(len(rows))
        gap = kind % 13 - heights[line, kind // 13, 0]
        out += [
            there * due[line, kind],
            there * np.maximum(builds[line, kind], (room > 0) * 0.5),
            there * loads[line, kind],
            there * np.clip(gap, 0, 13) / 13.0,
            there * (kind % 13) / 13.0,
            top == UNKNOWN,
        ]
    return out
