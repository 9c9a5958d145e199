"""Confidence intervals of scores and means, over pairs: fixed-sample ones, and ones that hold at all times.

A fixed-sample interval that is looked at while it grows shows a false winner sooner or later. People may look
at the `anytime` ones after every pair. These are asymptotic confidence sequences: with probability 95 % the
true mean never leaves them, from pair `FIRST` on (I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A.
Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52,
2024: the Gaussian mixture boundary). They are about 1.6 times as wide as fixed-sample ones. As "asymptotic"
says little about ten pairs, the first ones are widened as Student's t widens the normal quantile of a
thousandth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from analysis import student

if TYPE_CHECKING:
    from collections.abc import Sequence

Z95: Final = 1.959963984540054

FIRST: Final = 10
"""Pairs before which an interval that holds at all times says nothing."""

ALPHA: Final = 0.05
TIGHTEST: Final = 50
"""Pairs at which the interval is as narrow as it can be."""

IMAGINED: Final = 2.0
"""Pairs lost twice, and as many won twice, that are added to the spread, as in `score_interval`."""

TAIL: Final = 0.999
FAR_TAIL: Final = 0.999999
"""The quantile that is widened as Student's t is: farther out for margins, which can be skewed."""

_RHO: Final = (-2 * math.log(ALPHA) + math.log(1 - 2 * math.log(ALPHA))) / TIGHTEST


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Whether the interval lies entirely on one side of `value`."""
        return not self.low <= value <= self.high


def score_interval(penta: Sequence[int]) -> Interval | None:
    """Return the mean score per game (0 … 1) of `penta[k]` pairs with k of 4 half points; None without pairs.

    This is Agresti and Coull's idea (The American Statistician 52, 1998) with pairs as the unit: two imagined
    lost pairs and two won ones are added to find the centre and the spread. So 10-0 gets an honest interval,
    and near-deterministic twins do not get an empty one.
    """
    if not sum(penta):
        return None
    centre, variance, total = _spread(penta, Z95**2 / 4)
    return _around(penta, centre, Z95 * math.sqrt(variance / total))


def anytime_score(penta: Sequence[int]) -> Interval | None:
    """As `score_interval`, but the interval holds after every pair at once."""
    pairs = sum(penta)
    if not pairs:
        return None
    if pairs < FIRST:
        return _around(penta, 0.5, 0.5)
    centre, variance, _ = _spread(penta, IMAGINED)
    return _around(penta, centre, math.sqrt(variance) * reach(pairs))


def _spread(penta: Sequence[int], imagined: float) -> tuple[float, float, float]:
    """The mean, variance and number of pairs, with so many more lost twice and as many won twice."""
    added = (penta[0] + imagined, *penta[1:4], penta[4] + imagined)
    total = sum(added)
    centre = sum(count * k / 4 for k, count in enumerate(added)) / total
    return centre, sum(count * (k / 4 - centre) ** 2 for k, count in enumerate(added)) / total, total


def _around(penta: Sequence[int], centre: float, half: float) -> Interval:
    """The mean score, with an interval that contains it and stays within 0 and 1."""
    value = sum(count * k / 4 for k, count in enumerate(penta)) / sum(penta)
    return Interval(value, min(max(0.0, centre - half), value), max(min(1.0, centre + half), value))


@lru_cache(maxsize=4096)
def reach(pairs: int, tail: float = TAIL) -> float:
    """Half the interval's width in standard deviations of a pair."""
    grown = pairs * _RHO + 1
    width = math.sqrt(2 * grown / (pairs**2 * _RHO) * math.log(math.sqrt(grown) / ALPHA))
    return width * student.quantile(tail, pairs - 1) / NormalDist().inv_cdf(tail)


def anytime_mean(pairs: int, total: float, squares: float, outlying: float) -> Interval | None:
    """The mean of so many values with this sum and sum of squares; without end before `FIRST`, None of none.

    Values that are all alike have no spread to measure: it is taken to be at least what one value of the
    opposite sign would give, and what `IMAGINED` pairs worth `outlying` either way would.
    """
    if not pairs:
        return None
    mean = total / pairs
    if pairs < FIRST:
        return Interval(mean, -math.inf, math.inf)
    variance = max(
        (squares - pairs * mean**2) / (pairs - 1),
        4 * mean**2 / pairs,
        2 * IMAGINED * outlying**2 / (pairs + 2 * IMAGINED),
    )
    half = math.sqrt(variance) * reach(pairs, FAR_TAIL)
    return Interval(mean, mean - half, mean + half)


def mean_error(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean about 0; infinite if all values are 0, which tell no scale.

    Two values as far from 0 as the farthest, one either way, are imagined, as in `score_interval`: so values
    that are all alike are never a certainty.
    """
    farthest = max((abs(value) for value in values), default=0.0)
    if not farthest:
        return math.inf
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in (*values, farthest, -farthest))
    return Z95 * math.sqrt(spread / (len(values) + 1) / len(values))
