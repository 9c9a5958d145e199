"""A position as a value: everything the line of RULES 1 says, nothing the rules could change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine import notation
from engine.cards import UNKNOWN, Card, join, relabel
from engine.variants import VARIANTS, Variant

if TYPE_CHECKING:
    from engine.parts import Counters, SeatPiles, Tally


@dataclass(frozen=True)
class Position:
    """One line of RULES 1 in parts; hashable, equal when the lines are equal.

    `Position.parse` reads and checks a line, ``str(position)`` writes it back.

    >>> line = "crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD TCTC/QD8CTH/. 0,198,0,.,. 1,1/0/."
    >>> position = Position.parse(line)
    >>> position.houses[3], position.seats[0].discard, position.counters.stall
    (('3D',), ('TD',), 198)
    >>> str(position) == line
    True
    """

    variant: str
    """The variant's name."""
    turn: int
    """The seat to move."""
    phase: str
    """``play``, or ``lay<k>.<q>`` (RULES 6)."""
    drawn: Card | None
    """The card in the air, if one was drawn."""
    houses: tuple[tuple[Card, ...], ...]
    """Four for each seat, each bottom to top."""
    foundations: tuple[tuple[int, ...], ...]
    """For spades, hearts, diamonds, clubs the heights of their foundations, highest first."""
    seats: tuple[SeatPiles, ...]
    """Reserve, hand and discard of each seat."""
    counters: Counters
    tally: Tally

    @classmethod
    def parse(cls, line: str) -> Position:
        """Read a line of RULES 1 and check everything that section calls bad input.

        Raises:
            NotationError: it is no position; the message says what was expected and what was found.
            UnknownVariant: it names no variant, or one not played by so many seats.
        """
        return cls(*notation.parse(line))

    def __str__(self) -> str:
        houses = "/".join(map(join, self.houses))
        heights = "/".join(",".join(map(str, suit)) for suit in self.foundations)
        seats = " ".join(map(str, self.seats))
        return (
            f"{self.variant} {self.turn} {self.phase} {self.drawn or '-'} {houses} {heights} {seats} "
            f"{self.counters} {self.tally}"
        )

    @property
    def rules(self) -> Variant:
        """The variant as data."""
        return VARIANTS[self.variant]

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.seats)

    @property
    def laying(self) -> tuple[int, int] | None:
        """*k* and *q* of the laying phase (RULES 6), None in play.

        >>> from engine.deal import deal
        >>> deal("crapette-it", "00" * 32).laying
        (3, 2)
        """
        return notation.phase(self.phase)

    @cached_property
    def is_full(self) -> bool:
        """Whether no card is hidden (RULES 1)."""
        piles = [*self.houses, *(pile for seat in self.seats for pile in seat.piles)]
        return not any(UNKNOWN in pile for pile in piles)

    def public(self) -> Position:
        """The line that every seat and spectator is given: hands and cards below tops ``??`` (RULES 1).

        The mark of the last action becomes ``?``, as nobody is told whether it was irregular (RULES 6).

        >>> from engine.deal import deal
        >>> str(deal("crapo", "00" * 32).public().seats[0])[:12]
        './??????????'
        """
        counters = self.counters
        if counters.last in "+!":
            counters = replace(counters, last="?")
        return replace(self, seats=tuple(seat.public() for seat in self.seats), counters=counters)

    def relabelled(self, suits: str) -> Position:
        """The same position with S, H, D, C renamed to these four letters.

        The eight of `cards.SUIT_RELABELLINGS` keep red and black apart, so that the game stays the same.

        Raises:
            ValueError: not the four letters.

        >>> from engine.deal import deal
        >>> position = deal("crapaud", "00" * 32)
        >>> position.houses[0], position.relabelled("HSDC").houses[0]
        (('4H',), ('4S',))
        """
        if sorted(suits) != sorted("SHDC"):
            raise ValueError(f"expected the letters S, H, D and C in some order, got {suits!r}")
        return replace(
            self,
            drawn=relabel((self.drawn,), suits)[0] if self.drawn else None,
            houses=tuple(relabel(house, suits) for house in self.houses),
            foundations=tuple(self.foundations[suits.index(letter)] for letter in "SHDC"),
            seats=tuple(seat.relabelled(suits) for seat in self.seats),
        )
