"""Points of games that the engine does not end: forfeits, resignations and agreed draws.

RULES.md scores only games played to their end, so this is the referee's ruling: the seat that forfeits or
resigns is scored as the loser of the position as it lies, a card in the air being the mover's. Quitting is
thus never cheaper than what was still on the table. An agreed draw is scored as the drawn games of the
variant are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.sheet import Holding, Parts, parts, race_parts, totals
from engine.variants import variant

if TYPE_CHECKING:
    from engine import Race

EMPTIED: Final = 10
COMPLETED: Final = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """What a position line says about the seats, as far as points need it.

    ``reserves`` and ``others`` (hand, discard and the card in the air) are counts by seat; ``completed`` the
    foundations each seat completed; ``emptied`` and ``out`` seats in order.
    """

    variant: str
    reserves: tuple[int, ...]
    others: tuple[int, ...]
    completed: tuple[int, ...]
    emptied: tuple[int, ...]
    out: tuple[int, ...]

    @property
    def left(self) -> tuple[int, ...]:
        """All the cards each seat still has."""
        return tuple(reserve + other for reserve, other in zip(self.reserves, self.others, strict=True))


def standing(line: str) -> Standing:
    """Read a position line (RULES 1), full or public."""
    variant, turn, _phase, drawn, _houses, _foundations, *seats, _counters, tally = line.split(" ")
    piles = [tuple(_count(pile) for pile in seat.split("/")) for seat in seats]
    others = [hand + discard for _reserve, hand, discard in piles]
    if drawn != "-":
        others[int(turn)] += 1
    completed, emptied, out = tally.split("/")
    return Standing(
        variant=variant,
        reserves=tuple(reserve for reserve, _hand, _discard in piles),
        others=tuple(others),
        completed=tuple(int(number) for number in completed.split(",")),
        emptied=_seats(emptied),
        out=_seats(out),
    )


def forfeit_points(at: Standing, loser: int) -> tuple[int, ...]:
    """Points by seat when ``loser`` forfeits or resigns."""
    seats = len(at.reserves)
    if seats == 2:
        return totals(ended_parts(at, loser))
    points = [0] * seats
    half = at.left[loser] // 2
    for seat in range(seats):
        if seat != loser:
            paid = half + COMPLETED * at.completed[seat] + (0 if loser in at.emptied else EMPTIED)
            points[seat] += paid
            points[loser] -= paid
    return tuple(points)


def draw_points(at: Standing) -> tuple[int, ...]:
    """Points by seat of a draw agreed between two players."""
    return totals(ended_parts(at, None))


def ended_parts(at: Standing, loser: int | None) -> Parts:
    """The parts of the points between two if ``loser`` forfeits or resigns, or (None) they agree to draw."""
    first = at.emptied[0] if at.emptied else None
    holdings = [
        Holding(reserve, others, completed, emptied_first=seat == first)
        for seat, (reserve, others, completed) in enumerate(
            zip(at.reserves, at.others, at.completed, strict=True)
        )
    ]
    return parts(variant(at.variant).points, holdings, loser)


def race_forfeit_parts(race: Race, loser: int) -> Parts:
    """The parts of a game of `vitesse` when ``loser`` forfeits or resigns: the other scores as if it had
    called stop, and the loser, for more points win there, nothing."""
    left = [seat.left for seat in race.seats]
    made = race_parts(left, race.completed, 1 - loser)
    return ((), made[1]) if loser == 0 else (made[0], ())


def _count(pile: str) -> int:
    return 0 if pile == "." else len(pile) // 2


def _seats(digits: str) -> tuple[int, ...]:
    return () if digits == "." else tuple(int(digit) for digit in digits)
