"""What a game of two is worth, part by part, as it is written down on paper (RULES 5, 6, 7).

The points of a game are the sums of these parts. `core.Core.worth` adds them up once more for games that are
played on by the million; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.variants import Points

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of a score sheet: how many of something, and the points for them.

    `name` is ``win`` (the bonus for going out), ``cards`` (the loser's in hand and discard), ``reserve`` (the
    loser's), ``half`` (half of all the loser's cards), ``emptied`` (the reserve, first of all),
    ``foundations`` completed, ``stop`` (called it) or ``played`` (cards).
    """

    name: str
    count: int
    points: int


Parts = tuple[tuple[Part, ...], tuple[Part, ...]]
"""The parts of each seat's points; a part that brought nothing is left out."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat ends with: cards in the reserve, all its other cards, foundations it completed, and whether
    it was the first to empty its reserve."""

    reserve: int
    others: int
    completed: int = 0
    emptied_first: bool = False

    @property
    def left(self) -> int:
        """All its cards."""
        return self.reserve + self.others


def parts(scheme: Points, holdings: Sequence[Holding], loser: int | None) -> Parts:
    """The parts of a turn-based game of two that `loser` lost, None if it was drawn.

    >>> parts(Points.RUSSIAN_BANK, [Holding(0, 0), Holding(2, 5)], 1)[0]
    (Part(name='win', count=1, points=30), Part(name='cards', count=5, points=5), \
Part(name='reserve', count=2, points=4))
    """
    made: list[list[Part]] = [[], []]
    if scheme is Points.CRAPETTE:
        for seat, own in enumerate(holdings):
            made[seat] += [
                Part("emptied", 1, 10 * own.emptied_first),
                Part("foundations", own.completed, 3 * own.completed),
            ]
    if loser is not None and scheme is not Points.NONE:
        made[1 - loser] += _won(scheme, holdings[loser])
    return _without_nothing(made)


def tick_parts(left: Sequence[int], completed: Sequence[int], stopper: int | None) -> Parts:
    """The parts of a game of `vitesse`: cards left and foundations completed by seat, and who stopped it.

    >>> tick_parts([2, 30], [1, 0], 0)[1]
    (Part(name='played', count=22, points=22),)
    """
    return _without_nothing(
        [
            [
                Part("stop", 1, 20 * (seat == stopper)),
                Part("foundations", completed[seat], 10 * completed[seat]),
                Part("played", 52 - left[seat], 52 - left[seat]),
            ]
            for seat in (0, 1)
        ]
    )


def totals(found: Parts) -> tuple[int, int]:
    """The points of both seats that their parts add up to."""
    first, second = (sum(part.points for part in own) for own in found)
    return first, second


def _won(scheme: Points, lost: Holding) -> list[Part]:
    """What the winner gets for what the loser is left with."""
    if scheme is Points.CRAPETTE:
        return [Part("half", lost.left, lost.left // 2)]
    bonus = 30 if scheme is Points.RUSSIAN_BANK else 0
    return [
        Part("win", 1, bonus),
        Part("cards", lost.others, lost.others),
        Part("reserve", lost.reserve, 2 * lost.reserve),
    ]


def _without_nothing(made: Sequence[Sequence[Part]]) -> Parts:
    first, second = (tuple(part for part in own if part.points) for own in made)
    return first, second
