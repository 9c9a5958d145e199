"""Sequential tests on values that are not counts: luck-adjusted results, and luck-adjusted margins.

They stand beside the pentanomial test (`sprt`) and read the same pairs in the same order, each pair one
value. Two questions can be asked of them:

- **By results**: is the mean score a game that of `elo0` or that of `elo1`? The luck that is taken out has
  mean zero, so this is the pentanomial test's own question, asked with less noise. The ratio is the
  generalised likelihood ratio of two means with unknown variance,
  n/2 ln((v + (m - s0)²) / (v + (m - s1)²)), m and v the mean and variance so far.
- **By margins**: is the mean margin d0 or d1 of its own standard deviations? A margin has no Elo, so what is
  tested is the effect size, and the bounds are read as normalised Elo (M. Van den Bergh, "Normalized Elo",
  2020; the scale fishtest tests on). The ratio is that of the sequential t-test (S. Rushton, Biometrika 37,
  1950) in its generalised form: each hypothesis with its likeliest standard deviation. **Margins are not
  wins**: a bot can be ahead by margins and not by results.

Both are generalised sequential probability ratio tests with Wald's bounds (X. Li, J. Liu, Z. Ying, Sequential
Analysis 33, 2014). Their error rates are asymptotic, so nothing is decided before pair `FIRST` (of results)
or `FIRST_MARGINS`, and values that are all alike are given the spread one opposite value would show. Margins
can be skewed, which makes errors more likely on one side, so their bounds are those of `MARGIN_RISK` of the
risk that was asked for. `./crapette bench truth` measures what comes of it. The share of luck that is taken
out of a pair follows from earlier pairs only (`luck.own_share`), so looking after each pair is allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.arrays import np
from analysis.ratings.elo import expectation
from analysis.verdicts.sprt import NORMALISED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.verdicts.sprt import Hypotheses

    Floats = NDArray[np.float64]

WINS: Final = "wins"
RESULTS: Final = "results"
MARGINS: Final = "margins"
MEASURES: Final = (WINS, RESULTS, MARGINS)
"""What may stop a test."""

FIRST: Final = 20
FIRST_MARGINS: Final = 50
"""Pairs before which nothing is decided: a variance of fewer is a guess, of margins more so."""

MARGIN_RISK: Final = 0.7


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where such a test stands; `ratios` are the log-likelihood ratios after 1, 2, … pairs.

    `pairs` are those that count: up to the one that decided. The ratio ends the test at `lower` or `upper`.
    """

    pairs: int
    llr: float
    decision: str
    ratios: tuple[float, ...]
    lower: float
    upper: float


def by_results(values: Sequence[float], asked: Hypotheses) -> Evidence:
    """The test on luck-adjusted results; `values` are pairs' scores a game less a half, in order."""
    found = np.asarray(values, dtype=np.float64)
    if asked.normalised:
        ratios = effect_ratios(found, *effects(asked))
    else:
        ratios = mean_ratios(found, expectation(asked.elo0) - 0.5, expectation(asked.elo1) - 0.5)
    return _stopped(found, ratios, asked, FIRST)


def by_margins(values: Sequence[float], asked: Hypotheses) -> Evidence:
    """The test on luck-adjusted margins; its bounds are read as normalised Elo whatever was asked for."""
    found = np.asarray(values, dtype=np.float64)
    cautious = replace(asked, alpha=asked.alpha * MARGIN_RISK, beta=asked.beta * MARGIN_RISK)
    return _stopped(found, effect_ratios(found, *effects(asked)), cautious, FIRST_MARGINS)


def effects(asked: Hypotheses) -> tuple[float, float]:
    """The two means of a pair's value in its standard deviations.

    Elo that is not normalised is taken as if no game were drawn: a standard deviation of half a point.
    """
    if asked.normalised:
        ends = (asked.elo0 / NORMALISED, asked.elo1 / NORMALISED)
    else:
        ends = (2 * expectation(asked.elo0) - 1, 2 * expectation(asked.elo1) - 1)
    # A pair's mean of two games varies by the root of two less than a game.
    return ends[0] * math.sqrt(2), ends[1] * math.sqrt(2)


def mean_ratios(values: Floats, mean0: float, mean1: float) -> Floats:
    """The log-likelihood ratios of mean `mean1` against `mean0` after each value."""
    count, mean, variance = _moments(values)
    return np.asarray(
        count / 2 * (np.log(variance + (mean - mean0) ** 2) - np.log(variance + (mean - mean1) ** 2))
    )


def effect_ratios(values: Floats, effect0: float, effect1: float) -> Floats:
    """The log-likelihood ratios of a mean of `effect1` standard deviations against `effect0`."""
    count, mean, variance = _moments(values)
    square = variance + mean**2

    def likeliest(effect: float) -> Floats:
        """The log-likelihood of each beginning, the standard deviation chosen best."""
        slope = effect * mean
        deviation = (np.sqrt(slope**2 + 4 * square) - slope) / 2
        misfit = (square - 2 * mean * effect * deviation + (effect * deviation) ** 2) / deviation**2
        return np.asarray(-count * (np.log(deviation) + misfit / 2))

    return likeliest(effect1) - likeliest(effect0)


def _moments(values: Floats) -> tuple[Floats, Floats, Floats]:
    """How many values, their mean and their variance, after each value."""
    count = np.arange(1, len(values) + 1, dtype=np.float64)
    mean = np.cumsum(values) / count
    variance = np.cumsum(values**2) / count - mean**2
    least = 4 * mean**2 / count
    return count, mean, np.maximum(np.maximum(variance, least), 1e-12)


def _stopped(values: Floats, ratios: Floats, asked: Hypotheses, first: int) -> Evidence:
    """The evidence up to the first pair, from pair `first` on, at which the ratio is beyond a bound."""
    beyond = (ratios >= asked.upper) | (ratios <= asked.lower)
    beyond[: first - 1] = False
    crossed = np.flatnonzero(beyond)
    pairs = int(crossed[0]) + 1 if crossed.size else len(values)
    if not pairs:
        return Evidence(0, 0.0, "", (), asked.lower, asked.upper)
    llr = float(ratios[pairs - 1])
    decision = "" if not crossed.size else "H1" if llr >= asked.upper else "H0"
    kept = tuple(map(float, ratios[:pairs]))
    return Evidence(pairs, llr, decision, kept, asked.lower, asked.upper)
