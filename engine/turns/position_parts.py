"""The parts of a position: what one seat has, the counters, the tally (RULES 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Card, conceal, join, relabel

IDLE_LIMIT = 100
"""House-to-house moves without another move (RULES 3)."""

STALL_LIMIT = 200
"""Turns without a card to a foundation (RULES 3)."""


@dataclass(frozen=True, slots=True)
class SeatPiles:
    """The piles of one seat, each bottom to top.

    >>> str(SeatPiles(("4H",), ("5C", "6D"), ()))
    '4H/5C6D/.'
    """

    reserve: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()

    @property
    def piles(self) -> tuple[tuple[Card, ...], ...]:
        """Reserve, hand, discard."""
        return self.reserve, self.hand, self.discard

    @property
    def left(self) -> int:
        """How many cards the seat still has on its piles."""
        return len(self.reserve) + len(self.hand) + len(self.discard)

    def public(self) -> SeatPiles:
        """With the hand and what lies below tops hidden (RULES 1)."""
        return SeatPiles(conceal(self.reserve), conceal(self.hand, 0), conceal(self.discard))

    def relabelled(self, suits: str) -> SeatPiles:
        """With the suits renamed."""
        return SeatPiles(*(relabel(pile, suits) for pile in self.piles))

    def __str__(self) -> str:
        return "/".join(map(join, self.piles))


@dataclass(frozen=True, slots=True)
class Counters:
    """``idle,stall,passes,mute,last`` (RULES 3, and for stop calls RULES 6).

    >>> str(Counters(2, 5, 0, (0, 1), "+"))
    '2,5,0,01,+'
    """

    idle: int = 0
    stall: int = 0
    passes: int = 0
    mute: tuple[int, ...] = ()
    last: str = "."

    def __str__(self) -> str:
        return f"{self.idle},{self.stall},{self.passes},{seats_text(self.mute)},{self.last}"


@dataclass(frozen=True, slots=True)
class Tally:
    """``completed/emptied/out`` (RULES 1).

    >>> str(Tally((3, 0), (1, 0), ()))
    '3,0/10/.'
    """

    completed: tuple[int, ...]
    emptied: tuple[int, ...] = ()
    out: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{','.join(map(str, self.completed))}/{seats_text(self.emptied)}/{seats_text(self.out)}"


def seats_text(seats: tuple[int, ...]) -> str:
    """Seats as digits, ``.`` if there are none."""
    return "".join(map(str, seats)) or "."


class Fields(NamedTuple):
    """The fields of a line in their order; a `position.TurnPosition` has the same."""

    variant: str
    turn: int
    phase: str
    drawn: Card | None
    houses: tuple[tuple[Card, ...], ...]
    foundations: tuple[tuple[int, ...], ...]
    seats: tuple[SeatPiles, ...]
    counters: Counters
    tally: Tally


def is_over(counters: Counters, tally: Tally, players: int) -> bool:
    """Whether the game has ended: by a win, a stall or passes (RULES 3)."""
    still_in = players - len(tally.out)
    return still_in == 1 or counters.stall == STALL_LIMIT or counters.passes == still_in
