"""Who is better by margins: a verdict of its own beside the Elo that counts wins.

The mean margin of pairs (the pair is the unit) with an interval that holds however often it is looked at
(`anytime_mean`). Cards left or points say more than who won, but they can be lost on purpose: the two
verdicts are never mixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.intervals import FIRST, anytime_mean

LOST_TWICE: Final = 0.5
"""A pair's score a game less a half if one bot won both games."""

CARDS: Final = 5.0
"""Cards or points that a pair is won by at least now and then, even if none was so far."""


@dataclass(frozen=True, slots=True)
class MarginVerdict:
    """The mean margin a game with its interval, which has no ends while there are too few pairs."""

    pairs: int
    mean: float
    low: float
    high: float

    @property
    def early(self) -> bool:
        """Whether there are too few pairs to say anything."""
        return self.pairs < FIRST

    @property
    def better(self) -> int:
        """1 if the first is better, -1 if the second is, 0 if that is open; wrong at any time in 5 %."""
        return int(self.low > 0) - int(self.high < 0)


def verdict(pairs: int, total: float, squares: float, outlying: float = CARDS) -> MarginVerdict | None:
    """The verdict on so many pairs with this sum and sum of squares of mean margins; None without pairs.

    It reckons with pairs won by `outlying`, even if none was seen: level pairs alone are never a certainty.
    """
    found = anytime_mean(pairs, total, squares, outlying)
    return None if found is None else MarginVerdict(pairs, found.value, found.low, found.high)
