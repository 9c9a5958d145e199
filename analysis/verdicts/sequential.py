"""Sequential tests on values that are not counts: luck-adjusted results, and luck-adjusted margins.

They stand beside the pentanomial test (`sprt`) and read the same pairs in the same order, each pair one
value. Two questions can be asked of them:

- **By results**: is the mean score a game that of `elo0` or that of `elo1`? The luck that is taken out has
  mean zero, so this is the pentanomial test's own question, asked with less noise. It is answered by betting
  (`bets`), which holds its error rates **whatever the distribution of pairs and however few are unlike**; in
  ordinary play what bets win is the log-likelihood ratio of two means.
- **By margins**: is the mean margin d0 or d1 of its own standard deviations? A margin has no Elo, so what is
  tested is the effect size, and the bounds are read as normalised Elo (M. Van den Bergh, "Normalized Elo",
  2020; the scale fishtest tests on). The ratio is that of the sequential t-test (S. Rushton, Biometrika 37,
  1950) in its generalised form: each hypothesis with its likeliest standard deviation, with Wald's bounds (X.
  Li, J. Liu, Z. Ying, Sequential Analysis 33, 2014). So are results if the bounds are normalised. **Margins
  are not wins**: a bot can be ahead by margins and not by results.

The t-test's error rates are asymptotic. Margins can be skewed, which makes errors more likely on one side, so
their bounds are those of `MARGIN_RISK` of the risk that was asked for. Nothing is decided before pair `FIRST`
(of results) or `FIRST_MARGINS`, nor before `UNLIKE` pairs were not level: bots that play alike have shown
nothing yet. `./crapette bench truth` measures what comes of it. The share of luck that is taken out of a pair
follows from earlier pairs only (`luck.subtracted_share`), so looking after each pair is allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import expectation
from analysis.verdicts.sprt import NORMALISED, bets

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
"""Pairs before which nothing is decided: a standard deviation of fewer is a guess."""

UNLIKE: Final = 5
"""Pairs that must not have been level before anything is decided."""

LEVEL: Final = 1e-9
"""A pair whose value is no larger was level."""

MARGIN_RISK: Final = 0.7

RANGE: Final = 1.0
"""No pair's score less a half goes further than this with its luck taken out; what does counts as this."""


@dataclass(frozen=True, slots=True)
class SequentialEvidence:
    """Where such a test stands; `ratios` are the log-likelihood ratios after 1, 2, … pairs.

    `pairs` are those that count: up to the one that decided; `unlike` of them were not level. The ratio ends
    the test at `lower` or `upper`, but not before `first` pairs, of which `UNLIKE` must be unlike.
    """

    pairs: int
    llr: float
    decision: str
    ratios: tuple[float, ...]
    lower: float
    upper: float
    unlike: int
    first: int

    @property
    def early(self) -> bool:
        """Whether the ratio is beyond a bound, and there are too few pairs to decide by it."""
        return not self.decision and not self.lower < self.llr < self.upper


def by_results(values: Sequence[float], asked: Hypotheses) -> SequentialEvidence:
    """The test on luck-adjusted results; `values` are pairs' scores a game less a half, in order."""
    if asked.normalised:
        return _by_effects(values, asked)
    found = np.asarray(values, dtype=np.float64)
    ratios = bets(found, (expectation(asked.elo0) - 0.5, expectation(asked.elo1) - 0.5), RANGE)
    return _stopped(found, ratios, (math.log(asked.beta), -math.log(asked.alpha)), FIRST)


def by_margins(values: Sequence[float], asked: Hypotheses) -> SequentialEvidence:
    """The test on luck-adjusted margins; its bounds are read as normalised Elo whatever was asked for."""
    return _by_effects(values, asked)


def _by_effects(values: Sequence[float], asked: Hypotheses) -> SequentialEvidence:
    found = np.asarray(values, dtype=np.float64)
    cautious = replace(asked, alpha=asked.alpha * MARGIN_RISK, beta=asked.beta * MARGIN_RISK)
    ratios = effect_ratios(found, *effects(asked))
    return _stopped(found, ratios, (cautious.lower, cautious.upper), FIRST_MARGINS)


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


def effect_ratios(values: Floats, effect0: float, effect1: float) -> Floats:
    """The log-likelihood ratios of a mean of `effect1` standard deviations against `effect0`."""
    count = np.arange(1, len(values) + 1, dtype=np.float64)
    mean = np.cumsum(values) / count
    # Values that are all alike are given the spread that one opposite value would show.
    variance = np.maximum(np.cumsum(values**2) / count - mean**2, 4 * mean**2 / count)
    told = variance + mean**2 > LEVEL**2
    square = np.where(told, variance + mean**2, 1.0)

    def likeliest(effect: float) -> Floats:
        """The log-likelihood of each beginning, the standard deviation chosen best."""
        slope = effect * mean
        deviation = (np.sqrt(slope**2 + 4 * square) - slope) / 2
        misfit = (square - 2 * mean * effect * deviation + (effect * deviation) ** 2) / deviation**2
        return np.asarray(-count * (np.log(deviation) + misfit / 2))

    # Level pairs alone have no standard deviation to measure by, and say nothing.
    return np.where(told, likeliest(effect1) - likeliest(effect0), 0.0)


def _stopped(values: Floats, ratios: Floats, bounds: tuple[float, float], first: int) -> SequentialEvidence:
    """The evidence up to the first pair at which the ratio is beyond a bound and there are enough pairs."""
    lower, upper = bounds
    unlike = np.cumsum(np.abs(values) > LEVEL)
    beyond = ((ratios >= upper) | (ratios <= lower)) & (unlike >= UNLIKE)
    beyond[: first - 1] = False
    crossed = np.flatnonzero(beyond)
    pairs = int(crossed[0]) + 1 if crossed.size else len(values)
    if not pairs:
        return SequentialEvidence(0, 0.0, "", (), lower, upper, 0, first)
    llr = float(ratios[pairs - 1])
    decision = "" if not crossed.size else "H1" if llr >= upper else "H0"
    kept = tuple(map(float, ratios[:pairs]))
    return SequentialEvidence(pairs, llr, decision, kept, lower, upper, int(unlike[pairs - 1]), first)
