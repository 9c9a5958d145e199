"""Which of many lines is best, by playing on: sequential halving (Karnin, Koren and Somekh 2013).

All lines play a few samples of the hidden cards, the better half plays twice as many, and so on. All lines
of a round play the same samples, so luck does not distinguish them.

It can end early, once more samples could hardly change the choice for the better: because a line is clearly
better than the others, or because the best are as good as equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

World = TypeVar("World")
Moves = Sequence[int]

FIRST_LOOK: Final = 8
"""Samples before the first look whether they are enough."""
LOOK_AGAIN: Final = 1.25
"""Looks come after so many times the samples."""
LEAST_SPREAD: Final = 0.02
"""Of the difference of two lines in a sample: a few alike do not prove that all are."""
_SQRT2, _SQRT_2PI = math.sqrt(2), math.sqrt(2 * math.pi)


@dataclass(slots=True)
class Tried:
    """A line with an opinion of it beforehand (`prior`), and the sum of its games.

    `squares` sums the squares of what it was worth beyond the mean of all lines in the same sample.
    """

    prior: float
    moves: tuple[int, ...]
    total: float = 0.0
    games: int = 0
    squares: float = 0.0

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
    enough: float = 0.0,
) -> list[Tried]:
    """The `keep` lines that are left, best first, with their games counted.

    `judge` says what a line is worth in one world to whoever chooses, by playing on in any way. At most about
    `samples` lines are judged, as many in each round. `spent` says what part of the time is over. It is asked
    before each sample: no round takes time that belongs to the later ones, and none goes on after 1.

    It ends early once `regret` says that less than `enough` is lost by taking the best line now.
    """
    left = list(lines)
    rounds = max(1, (len(left) - 1).bit_length())
    done = 0
    look = FIRST_LOOK
    while len(left) > keep:
        done += 1
        for _ in range(max(1, samples // rounds // len(left))):
            if spent() * rounds >= done:
                break
            world = next(worlds)
            worths = [judge(world, each.moves) for each in left]
            mean = sum(worths) / len(left)
            for each, worth in zip(left, worths, strict=True):
                each.total += worth
                each.games += 1
                each.squares += (worth - mean) ** 2
            if enough and left[0].games >= look:
                look = math.ceil(left[0].games * LOOK_AGAIN)
                if regret(left) < enough:
                    done = rounds
                    break
        left.sort(key=lambda each: each.rank, reverse=True)
        del left[max(keep, (len(left) + 1) // 2 if done < rounds else keep) :]
    return left


def regret(lines: Sequence[Tried]) -> float:
    """How much is lost, in the mean, by taking the best line now instead of the one that is truly best.

    This is the expected opportunity cost of S. Chick and K. Inoue (Operations Research 49, 2001): each other
    line may truly be better by what a normal error of the difference allows, and the losses are added up.
    All lines have as many games, on the same samples.

    >>> round(regret([Tried(0.0, (), 60.0, 100, 20.0), Tried(0.0, (), 55.0, 100, 20.0)]), 4)
    0.0161
    >>> round(regret([Tried(0.0, (), 60.0, 100, 20.0), Tried(0.0, (), 20.0, 100, 20.0)]), 4)
    0.0
    """
    best = max(lines, key=lambda each: each.rank)
    games, shrunk = best.games, len(lines) / (len(lines) - 1)  # the mean has a part of each line in it
    total = 0.0
    for each in lines:
        if each is not best:
            spread = max(LEAST_SPREAD**2, shrunk * (best.squares + each.squares) / games)
            error = math.sqrt(spread / games)
            lead = (best.rank - each.rank) / error
            total += error * (math.exp(-lead * lead / 2) / _SQRT_2PI - lead * math.erfc(lead / _SQRT2) / 2)
    return total
