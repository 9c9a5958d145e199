"""Forecasts how long a sequential test will take, and how likely it ends undecided.

Between Wald's bounds the log-likelihood ratio walks like a Brownian motion whose drift and variance a pair
follow from the true difference and from how much pairs vary (D. Siegmund, Sequential Analysis, 1985, chapter
3). The chance that it is still inside after n pairs is a sine series, the length its sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import expectation
from analysis.verdicts.sprt import INDEPENDENT, NORMALISED

if TYPE_CHECKING:
    from analysis.verdicts.sprt import Hypotheses

TERMS: Final = 400
POINTS: Final = 200
"""At so many moments the chance is computed to find the mean length."""


@dataclass(frozen=True, slots=True)
class Length:
    """If the true difference is `elo`: the mean number of pairs, and the chances of each ending."""

    elo: float
    pairs: float
    accepted: float
    undecided: float


def forecast(asked: Hypotheses, most: int, variance: float = INDEPENDENT) -> list[Length]:
    """The length of a test of at most `most` pairs if the truth is H0, halfway, or H1.

    `variance` is that of a pair's score (0 … 1).
    """
    return [
        length(asked, elo, most, variance) for elo in (asked.elo0, (asked.elo0 + asked.elo1) / 2, asked.elo1)
    ]


def length(asked: Hypotheses, elo: float, most: int, variance: float = INDEPENDENT) -> Length:
    """The length if the truth is `elo`, in the unit of the hypotheses."""
    if asked.normalised:
        low, high, true = (
            math.sqrt(2 * variance) * one / NORMALISED for one in (asked.elo0, asked.elo1, elo)
        )
    else:
        low, high, true = (expectation(one) - 0.5 for one in (asked.elo0, asked.elo1, elo))
    drift = (high - low) * (2 * true - high - low) / (2 * variance)
    spread = (high - low) ** 2 / variance
    if not spread > 0:
        return Length(elo, float(most), 0.0, 1.0)
    below, width = -asked.lower, asked.upper - asked.lower
    times = np.linspace(0, most, POINTS + 1)
    inside = np.array([_inside(float(time), drift, spread, below, width) for time in times])
    pairs = float(((inside[1:] + inside[:-1]) / 2).sum() * most / POINTS)
    undecided = float(inside[-1])
    return Length(elo, pairs, _above(drift, spread, below, width) * (1 - undecided), undecided)


def _above(drift: float, spread: float, below: float, width: float) -> float:
    """The chance to leave by the upper bound."""
    tilt = 2 * drift / spread
    if abs(tilt) * width < 1e-9:
        return below / width
    return math.expm1(-tilt * below) / math.expm1(-tilt * width)


def _inside(time: float, drift: float, spread: float, below: float, width: float) -> float:
    """The chance to be between the bounds still, after so many pairs."""
    if time * spread < width**2 / TERMS:  # too early for the series, and to leave
        return 1.0
    terms = np.arange(1, TERMS + 1) * math.pi / width
    tilt = drift / spread
    signs = np.where(np.arange(1, TERMS + 1) % 2, 1.0, -1.0)
    passed = terms * (math.exp(-tilt * below) + signs * math.exp(tilt * (width - below)))
    weights = np.sin(terms * below) * passed / (tilt**2 + terms**2)
    decays = np.exp(-(terms**2 * spread + drift**2 / spread) * time / 2)
    return float(np.clip(2 / width * (weights * decays).sum(), 0.0, 1.0))
