"""What a core consists of, and how it is read."""

from __future__ import annotations

import cython

from engine.turns.core.plain import add_slots
from engine.turns.core.tables import NONE


@cython.cclass
class Readable:
    """The cards, the variant and the counters of a game in progress, as numbers."""

    below: cython.uchar[212]
    top: cython.uchar[32]
    at: cython.ushort[56]
    heights: cython.uchar[16]  # 4 for each suit, highest first
    completed: cython.ushort[4]
    link: cython.ulonglong[4]
    words: cython.ulonglong[7]  # the set of legal moves, valid while `ready`
    due: cython.ulonglong  # the kinds that a foundation waits for
    fit: cython.int  # the houses whose top is due
    # The variant as numbers.
    _players: cython.uchar
    wide: cython.uchar
    build: cython.uchar
    needs_room: cython.uchar
    own_discard: cython.uchar
    must_place: cython.uchar
    drawing: cython.uchar
    order: cython.uchar
    scheme: cython.uchar
    # The state besides the cards.
    _turn: cython.uchar
    _over: cython.uchar
    lay: cython.uchar  # laying turns left with this one, 0 in play
    quota: cython.uchar
    idle: cython.uchar
    stall: cython.uchar
    passes: cython.uchar
    mute: cython.uchar  # a bit for each seat
    last: cython.uchar
    ready: cython.uchar
    best: cython.uchar  # highest precedence among the legal moves, valid while `ready`
    n_emptied: cython.uchar
    n_out: cython.uchar
    emptied: cython.ushort  # seats in order, four bits each from the lowest
    out: cython.ushort
    base: cython.ushort  # where the tables of moves begin for this turn
    _turn_number: cython.int

    def pile(self, number: cython.int) -> list[int]:
        """The card ids of a pile, bottom to top: ``HOUSE + i``, ``RESERVE + seat``, …, ``DRAWN``."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        cards: list[int] = []
        card: cython.int = self.top[number]
        while card != NONE:
            cards.append(card)
            card = self.below[card]
        cards.reverse()
        return cards

    def size(self, number: cython.int) -> int:
        """How many cards a pile has."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        count: cython.int = 0
        card: cython.int = self.top[number]
        while card != NONE:
            count += 1
            card = self.below[card]
        return count

    def top_of(self, number: cython.int) -> int:
        """The card id on top of a pile, 208 (`NOBODY`) if it is empty."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        return self.top[number]

    def heights_of(self) -> list[list[int]]:
        """The foundations: for each suit its heights, highest first."""
        return [[self.heights[4 * suit + index] for index in range(self._players)] for suit in range(4)]

    def state(self) -> tuple[int, ...]:
        """As `load` takes it: turn, laying turns, quota, idle, stall, passes, mute, mark, turn number."""
        return (
            self._turn,
            self.lay,
            self.quota,
            self.idle,
            self.stall,
            self.passes,
            self.mute,
            self.last,
            self._turn_number,
        )

    def tally(self) -> tuple[list[int], list[int], list[int]]:
        """Foundations completed by each seat; seats in the order of emptied reserves; and of going out."""
        return (
            [self.completed[seat] for seat in range(self._players)],
            [self.emptied >> 4 * place & 15 for place in range(self.n_emptied)],
            [self.out >> 4 * place & 15 for place in range(self.n_out)],
        )

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self._turn

    @property
    def players(self) -> int:
        """How many seats."""
        return self._players

    @property
    def over(self) -> int:
        """0 while the game goes on, else `WIN`, `STALL` or `PASSES`."""
        return self._over

    @property
    def turn_number(self) -> int:
        """Turns ended so far, counted from the number loaded."""
        return self._turn_number


if not cython.compiled:
    Readable = add_slots(Readable)
