"""Intervals that people may look at after every pair: they hold at all times at once.

A fixed-sample interval that is looked at while it grows shows a false winner sooner or later. These are
asymptotic confidence sequences: with probability 95 % the true mean never leaves them, from pair `FIRST`
on (I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A. Ramdas, "Time-uniform central limit theory and
asymptotic confidence sequences", Annals of Statistics 52, 2024: the Gaussian mixture boundary). They are
about 1.6 times as wide as fixed-sample ones. As "asymptotic" says little about ten pairs, the first ones are
widened as Student's t widens the normal quantile of a thousandth.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from analysis import student
from analysis.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST: Final = 10
"""Pairs before which nothing is said."""

ALPHA: Final = 0.05
TIGHTEST: Final = 50
"""Pairs at which the interval is as narrow as it can be."""

IMAGINED: Final = 2.0
"""Pairs lost twice and won twice that are added to the spread of scores, two of each, as in `intervals`."""

TAIL: Final = 0.999
FAR_TAIL: Final = 0.999999
"""The quantile that is widened as Student's t is: farther out for margins, which can be skewed."""

_RHO: Final = (-2 * math.log(ALPHA) + math.log(1 - 2 * math.log(ALPHA))) / TIGHTEST


@lru_cache(maxsize=4096)
def reach(pairs: int, tail: float = TAIL) -> float:
    """Half the interval's width in standard deviations of a pair."""
    grown = pairs * _RHO + 1
    width = math.sqrt(2 * grown / (pairs**2 * _RHO) * math.log(math.sqrt(grown) / ALPHA))
    return width * student.quantile(tail, pairs - 1) / NormalDist().inv_cdf(tail)


def mean_interval(pairs: int, total: float, squares: float, outlying: float) -> Interval | None:
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


def score_interval(penta: Sequence[int]) -> Interval | None:
    """Mean score a game (0 … 1) of pairs with k half points of 4, `penta[k]` of each; None without pairs."""
    pairs = sum(penta)
    if not pairs:
        return None
    value = sum(count * k / 4 for k, count in enumerate(penta)) / pairs
    if pairs < FIRST:
        return Interval(value, 0.0, 1.0)
    added = (penta[0] + IMAGINED, *penta[1:4], penta[4] + IMAGINED)
    total = sum(added)
    centre = sum(count * k / 4 for k, count in enumerate(added)) / total
    variance = sum(count * (k / 4 - centre) ** 2 for k, count in enumerate(added)) / total
    half = math.sqrt(variance) * reach(pairs)
    return Interval(value, min(max(0.0, centre - half), value), max(min(1.0, centre + half), value))
