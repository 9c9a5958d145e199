"""Confidence intervals of scores and means, over pairs: fixed-sample ones, and ones that hold at all times.

A fixed-sample interval that is looked at while it grows shows a false winner sooner or later. People may look
at the `anytime` ones after every pair. These are asymptotic confidence sequences: with probability 95 % the
true mean never leaves them, from pair `FIRST` on (I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy, A.
Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52,
2024: the Gaussian mixture boundary). They are about 1.6 times as wide as fixed-sample ones. As "asymptotic"
says little about ten pairs, the first ones are widened as Student's t widens the normal quantile of a
thousandth.

Student's t: its tail and its quantile, in a few lines where a library of statistics would cost 40 MB.

Pages tell verdicts in the process that serves them; `scipy.stats` alone would be a third of its memory and
of its start. Both functions agree with it to ten digits (the tests compare them).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


TINY: Final = 1e-300
EXACT: Final = 1e-15
MOST_STEPS: Final = 10_000
LARGEST: Final = 1e6
"""With more degrees of freedom t and normal distribution agree to six digits and more."""


def tail(t: float, degrees: float) -> float:
    """The probability that a t-distributed variable exceeds `t`."""
    if degrees > LARGEST:
        return NormalDist().cdf(-t)
    half = 0.5 * _incomplete_beta(degrees / (degrees + t * t), t * t / (degrees + t * t), degrees / 2, 0.5)
    return half if t >= 0 else 1.0 - half


@lru_cache(4096)
def quantile(probability: float, degrees: float) -> float:
    """The t that is exceeded with probability 1 - `probability`, by Newton's method from the normal one.

    For 0.5 <= `probability` < 1.
    """
    if degrees > LARGEST:
        return NormalDist().inv_cdf(probability)
    if degrees == 1:
        return math.tan(math.pi * (probability - 0.5))
    # Below the quantile the tail is convex, so from there each step falls short of it, never beyond.
    t = NormalDist().inv_cdf(probability)
    scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - 0.5 * math.log(degrees * math.pi)
    for _ in range(200):
        density = math.exp(scale - (degrees + 1) / 2 * math.log1p(t * t / degrees))
        step = (tail(t, degrees) - (1.0 - probability)) / density
        t += step
        if abs(step) <= 1e-13 * (1.0 + abs(t)):
            break
    return t


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), `rest` being 1 - x to full precision.

    DLMF 8.17.22, by W. J. Lentz's method.
    """
    if x <= 0.0 or rest <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly, its mirror image does not
        return 1.0 - _incomplete_beta(rest, x, b, a)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    return math.exp(logarithm) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1 + d1/(1 + d2/(1 + …)) of the incomplete beta function."""
    value = numerator = 1.0
    denominator = 0.0
    for step in range(1, MOST_STEPS):
        m = step // 2
        if step % 2:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        denominator = 1.0 / ((1.0 + part * denominator) or TINY)
        numerator = (1.0 + part / numerator) or TINY
        factor = numerator * denominator
        value *= factor
        if abs(factor - 1.0) < EXACT:
            return value
    raise ArithmeticError(f"expected the incomplete beta function of {x}, {a}, {b} to converge")


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
    return width * quantile(tail, pairs - 1) / NormalDist().inv_cdf(tail)


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
