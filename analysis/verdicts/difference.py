"""How many Elo one of two bots is better, and who is better by margins: for commands, pages and API alike.

The estimate is that of the ratings' fit of this one match (`ratings.elo`), with its imagined draws, and the
interval that of the leaderboard (`ratings.profile`). So a pair won twice is a small lead with a wide interval
that has no upper end, and level pairs alone are an interval about 0 that is never empty. Both are of pairs
whose number was fixed beforehand: after an early stop they lean away from 0.

The mean margin of pairs (the pair is the unit) with an interval that holds however often it is looked at
(`anytime_mean`). Cards left or points say more than who won, but they can be lost on purpose: the two
verdicts are never mixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from analysis import intervals
from analysis.intervals import FIRST, anytime_mean
from analysis.ratings import elo, profile_intervals
from analysis.ratings.match_arrays import Match

if TYPE_CHECKING:
    from collections.abc import Sequence


Penta = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the first is better, in Elo, with its 95 % interval, of which an end may be infinite.

    `superiority` is the likelihood that it is better at all, by the test that the interval is made of: the
    interval lies above 0 where it is above 97.5 %.
    """

    elo: float
    low: float
    high: float
    superiority: float

    @property
    def words(self) -> str:
        """For people: "+14 ± 9 Elo", or "+191 (above -261) Elo" and the like where it is lopsided."""
        return f"{self.number} Elo"

    @property
    def number(self) -> str:
        """The words without the unit."""
        value, low, high = (with_sign(one) for one in (self.elo, self.low, self.high))
        if self.lopsided:
            if math.isinf(self.high):
                return f"{value} (above {low})" if math.isfinite(self.low) else f"{value} (± any)"
            return f"{value} (below {high})" if math.isinf(self.low) else f"{value} ({low} to {high})"
        return f"{value} ± {self.error}"

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def error(self) -> str:
        """That half in words; it is never 0."""
        return f"{self.half:.0f}" if self.half >= 1 else f"{self.half:.1g}"

    @property
    def lopsided(self) -> bool:
        """Whether one side of the interval is so much longer that the other end must be told, too."""
        above, below = self.high - self.elo, self.elo - self.low
        return math.isinf(self.half) or not max(above, below) < 2 * max(min(above, below), 0.5)

    def flip(self) -> Difference:
        """The same from the other one's side."""
        return Difference(-self.elo, -self.high, -self.low, 1 - self.superiority)

    def as_dict(self) -> dict[str, float | None]:
        """For JSON, which knows no infinity: None for an end that the pairs leave open."""
        return {
            "elo": round(self.elo, 2),
            "low": round(self.low, 2) if math.isfinite(self.low) else None,
            "high": round(self.high, 2) if math.isfinite(self.high) else None,
            "superiority": round(self.superiority, 6),
        }


UNKNOWN: Final = Difference(0.0, -math.inf, math.inf, 0.5)
"""What no pair says."""


def difference(penta: Sequence[int]) -> Difference:
    """Compare two bots by `penta[k]` pairs of which the first made k of 4 half points."""
    lost, less, level, more, won = penta
    return _difference((lost, less, level, more, won))


@lru_cache(maxsize=1024)
def _difference(penta: Penta) -> Difference:
    pairs = sum(penta)
    if not pairs:
        return UNKNOWN
    matches = [Match(0, 1, penta)]
    fitted = elo.fit(matches, {1: elo.ANCHOR_ELO})
    low, high = profile_intervals.ends(fitted, matches)[0]
    # As `profile_intervals` tests equal strength: half of the games are expected, a quarter is the variance.
    surplus = sum(k * count for k, count in enumerate(penta)) / 2 - pairs
    spread = math.sqrt(float(fitted.ratios[0]) * 2 * pairs / 4)
    return Difference(
        fitted.estimate(0).elo - elo.ANCHOR_ELO,
        low - elo.ANCHOR_ELO,
        high - elo.ANCHOR_ELO,
        1 - intervals.tail(surplus / spread, fitted.freedom),
    )


def percent(chance: float) -> str:
    """A likelihood in words; no number of pairs makes one certain.

    >>> percent(0.9832), percent(1.0)
    ('98.3 %', '99.9 %')
    """
    return f"{100 * min(max(chance, 0.001), 0.999):.1f} %"


def with_sign(value: float) -> str:
    """A whole number with its sign; 0 has none.

    >>> with_sign(13.7), with_sign(-0.2), with_sign(-5.0)
    ('+14', '0', '-5')
    """
    return f"{round(value):+d}" if math.isfinite(value) and round(value) else f"{abs(value):.0f}"


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
