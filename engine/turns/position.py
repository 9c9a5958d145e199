"""A position as a value: everything the line of RULES 1 says, nothing the rules could change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from engine.cards import UNKNOWN, Card, join, relabel
from engine.errors import NotationError, quote
from engine.points.outcome import GIVEN_UP, Outcome, rank_seats
from engine.points.sheet import Holding, Parts, parts, totals
from engine.points.table import given_up, settle
from engine.protocol import Position
from engine.turns import position_line
from engine.turns.position_parts import STALL_LIMIT, is_over
from engine.variants import VARIANTS, Variant

if TYPE_CHECKING:
    from engine.turns.position_parts import Counters, SeatPiles, Tally


ENDINGS: Final = {
    "win": "Won by going out.",
    "stall": f"Drawn: {STALL_LIMIT} turns without a card to a foundation.",
    "passes": "Drawn: every seat passed in a row.",
}
"""How a game ended, by its result."""


@dataclass(frozen=True)
class TurnPosition(Position):
    """One line of RULES 1 in parts; hashable, equal when the lines are equal.

    `Position.parse` reads and checks a line, ``str(position)`` writes it back.

    >>> line = "crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD TCTC/QD8CTH/. 0,198,0,.,. 1,1/0/."
    >>> position = TurnPosition.parse(line)
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
    def read(cls, line: str) -> TurnPosition:
        """Read a line of RULES 1 and check everything that section calls bad input.

        Raises:
            NotationError: it is no position; the message says what was expected and what was found.
            UnknownVariant: the variant is unknown, or not for this number of seats.
        """
        return cls(*position_line.parse(line))

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
    def acting(self) -> tuple[int, ...]:
        """The seat to move; none once the game is over."""
        return () if self.finished else (self.turn,)

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each seat still has; a card in the air is the mover's."""
        return tuple(
            piles.left + (self.drawn is not None and seat == self.turn)
            for seat, piles in enumerate(self.seats)
        )

    @property
    def finished(self) -> bool:
        """Whether the game is over (RULES 3)."""
        return is_over(self.counters, self.tally, self.players)

    @property
    def laying(self) -> tuple[int, int] | None:
        """*k* and *q* of the laying phase (RULES 6), None in play.

        >>> from engine.protocol import deal
        >>> deal("crapette-it", "00" * 32).laying
        (3, 2)
        """
        return position_line.phase(self.phase)

    @cached_property
    def is_full(self) -> bool:
        """Whether no card is hidden (RULES 1)."""
        piles = [*self.houses, *(pile for seat in self.seats for pile in seat.piles)]
        return not any(UNKNOWN in pile for pile in piles)

    def public(self) -> TurnPosition:
        """The line that every seat and spectator is given: hands and cards below tops ``??`` (RULES 1).

        The mark of the last action becomes ``?``, as nobody is told whether it was irregular (RULES 6).

        >>> from engine.protocol import deal
        >>> str(deal("crapo", "00" * 32).public().seats[0])[:12]
        './??????????'
        """
        counters = self.counters
        if counters.last in "+!":
            counters = replace(counters, last="?")
        return replace(self, seats=tuple(seat.public() for seat in self.seats), counters=counters)

    def relabelled(self, suits: str) -> TurnPosition:
        """The same position with S, H, D, C renamed to these four letters.

        The eight of `cards.SUIT_RELABELLINGS` keep red and black apart, so that the game stays the same.

        Raises:
            NotationError: not the four letters.

        >>> from engine.protocol import deal
        >>> position = deal("crapaud", "00" * 32)
        >>> position.houses[0], position.relabelled("HSDC").houses[0]
        (('4H',), ('4S',))
        """
        if not isinstance(suits, str) or sorted(suits) != sorted("SHDC"):
            raise NotationError(f"expected the letters S, H, D and C in some order, got {quote(suits)}")
        return replace(
            self,
            drawn=relabel((self.drawn,), suits)[0] if self.drawn else None,
            houses=tuple(relabel(house, suits) for house in self.houses),
            foundations=tuple(self.foundations[suits.index(letter)] for letter in "SHDC"),
            seats=tuple(seat.relabelled(suits) for seat in self.seats),
        )

    def outcome(self) -> Outcome | None:
        """Who won and the points (RULES 3, 5, 6); None while the game goes on."""
        if not self.finished:
            return None
        out, tally = self.tally.out, self.tally
        if self.players - len(out) == 1:
            result = "win"  # before a stall, and a stall before passes
        elif self.counters.stall == STALL_LIMIT:
            result = "stall"
        else:
            result = "passes"
        if self.players > 2:
            points = settle(self.left, tally.completed, tally.emptied, out, won=result == "win")
        else:
            points = totals(self.parts())
        return Outcome(result, rank_seats(self.players, out), points)

    def ending(self) -> str:
        """How the game ended by its rules (RULES 3), as a sentence for people."""
        found = self.outcome()
        return ENDINGS[found.result] if found else "The game goes on."

    def parts(self) -> Parts:
        """What the points of both seats are made of, of a game of two that has ended here (RULES 5, 6)."""
        return self.parts_given_up(1 - self.tally.out[0] if self.tally.out else None)

    def parts_given_up(self, loser: int | None) -> Parts:
        """The same with `loser` as the one who lost, or (None) nobody."""
        tally = self.tally
        holdings = [
            Holding(
                len(piles.reserve),
                left - len(piles.reserve),
                tally.completed[seat],
                emptied_first=tally.emptied[:1] == (seat,),
            )
            for seat, (piles, left) in enumerate(zip(self.seats, self.left, strict=True))
        ]
        return parts(self.rules.points, holdings, loser)

    def given_up(self, loser: int | None) -> Outcome:
        """The outcome if a seat gives up, or (None) if two agree to a draw."""
        self.check_seat(loser)
        tally = self.tally
        if self.players == 2:
            points: tuple[int, ...] = totals(self.parts_given_up(loser))
        elif loser is None:
            points = (0,) * self.players
        else:
            points = given_up(self.left, tally.completed, tally.emptied, loser)
        return Outcome(GIVEN_UP, rank_seats(self.players, tally.out, loser), points)
