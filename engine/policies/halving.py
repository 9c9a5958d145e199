"""Which of many lines is best, by playing on: sequential halving (Karnin, Koren and Somekh 2013).

All lines play a few samples of the hidden cards, the better half plays twice as many, and so on. All lines
of a round play the same samples, so luck does not distinguish them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

World = TypeVar("World")
Moves = Sequence[int]


@dataclass(slots=True)
class Tried:
    """A line with an opinion of it beforehand (`prior`), and the sum of its games."""

    prior: float
    moves: tuple[int, ...]
    total: float = 0.0
    games: int = 0

    @property
    def mean(self) -> float:
        """The mean of its games; 0 before the first."""
        return self.total / max(1, self.games)

    @property
    def rank(self) -> float:
        """What lines are compared by."""
        return self.prior + self.mean


def halved(
    lines: Sequence[Tried],
    worlds: Iterator[World],
    judge: Callable[[World, Moves], float],
    *,
    samples: int,
    spent: Callable[[], float] = lambda: 0.0,
    keep: int = 1,
) -> list[Tried]:
    """The `keep` lines that are left, best first, with their games counted.

    `judge` says what a line is worth in one world to whoever chooses, by playing on in any way. At most about
    `samples` lines are judged, as many in each round. `spent` says what part of the time is over. It is asked
    before each sample: no round takes time that belongs to the later ones, and none goes on after 1.
    """
    left = list(lines)
    rounds = max(1, (len(left) - 1).bit_length())
    done = 0
    while len(left) > keep:
        done += 1
        for _ in range(max(1, samples // rounds // len(left))):
            if spent() * rounds >= done:
                break
            world = next(worlds)
            for each in left:
                each.total += judge(world, each.moves)
                each.games += 1
        left.sort(key=lambda each: each.rank, reverse=True)
        del left[max(keep, (len(left) + 1) // 2) :]
    return left
