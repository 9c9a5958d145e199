"""Student's t: its tail and its quantile, in a few lines where a library of statistics would cost 40 MB.

Pages tell verdicts in the process that serves them; `scipy.stats` alone would be a third of its memory and
of its start. Both functions agree with it to ten digits (the tests compare them).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

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
