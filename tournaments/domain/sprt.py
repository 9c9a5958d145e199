"""The generalised sequential probability ratio test on pairs (pentanomial), as chess engine testers use it.

The five frequencies of a pair's half points are the data; what is tested is their mean, Elo as an expected
score 1 / (1 + 10^(-Elo/400)): H0 "the difference is elo0" against H1 "it is elo1". The log-likelihood ratio
is that of the two maximum likelihood distributions with the means prescribed (M. Van den Bergh, "The
generalized maximum likelihood ratio for the expectation value of a distribution", 2019), the bounds are
Wald's (Annals of Mathematical Statistics 16, 1945). The pair is the unit, so the dependence of its two
games is accounted for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scipy.optimize import brentq

from tournaments.domain.elo import SCALE, expectation, normal_cdf
from tournaments.domain.intervals import Z95

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
UNSEEN: Final = 1e-3
"""Pairs imagined for an outcome that was not seen, so that every mean is possible (as fishtest does)."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested: elo0 < elo1, and the chances of deciding wrongly: alpha for H1, beta for H0."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a test stands; `decision` is "H0", "H1" or "" while it is open.

    `elo` with its 95 % interval and `los`, the likelihood of superiority, are of the pairs as if their
    number had been fixed beforehand; after an early stop they lean away from 0.
    """

    pairs: int
    llr: float
    lower: float
    upper: float
    decision: str
    elo: float
    low: float
    high: float
    los: float

    @property
    def words(self) -> str:
        """For people: "+14 ± 9 Elo, LOS 98.3 %, accepted"; with the interval's ends where it is lopsided."""
        ends = {"H0": "rejected", "H1": "accepted", "": "undecided"}
        above, below = self.high - self.elo, self.elo - self.low
        if max(above, below) < 2 * min(above, below):
            difference = f"{self.elo:+.0f} ± {(above + below) / 2:.0f} Elo"
        else:
            difference = f"{self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f}) Elo"
        return f"{difference}, LOS {100 * self.los:.1f} %, {ends[self.decision]}"


def judge(penta: Sequence[int], hypotheses: Hypotheses) -> Verdict:
    """Where a test stands after pairs with k half points of 4, `penta[k]` of each."""
    pairs = sum(penta)
    llr = (
        log_likelihood_ratio(penta, expectation(hypotheses.elo0), expectation(hypotheses.elo1))
        if pairs
        else 0.0
    )
    decision = "H1" if llr >= hypotheses.upper else "H0" if llr <= hypotheses.lower else ""
    value, low, high, los = _estimate(penta)
    return Verdict(pairs, llr, hypotheses.lower, hypotheses.upper, decision, value, low, high, los)


def log_likelihood_ratio(penta: Sequence[int], score0: float, score1: float) -> float:
    """The generalised log-likelihood ratio of mean score `score1` against `score0` (0 … 1 a game)."""
    counts = [count or UNSEEN for count in penta]
    total = sum(counts)
    frequencies = [count / total for count in counts]
    root0, root1 = _multiplier(frequencies, score0), _multiplier(frequencies, score1)
    return total * sum(
        frequency * (math.log1p(root0 * (value - score0)) - math.log1p(root1 * (value - score1)))
        for frequency, value in zip(frequencies, SCORES, strict=True)
    )


def _multiplier(frequencies: Sequence[float], mean: float) -> float:
    """The Lagrange multiplier x of the likeliest distribution with this mean, f / (1 + x (value - mean))."""
    least, most = SCORES[0] - mean, SCORES[-1] - mean

    def excess(x: float) -> float:
        return sum(
            frequency * (value - mean) / (1 + x * (value - mean))
            for frequency, value in zip(frequencies, SCORES, strict=True)
        )

    edge = 1e-12
    low, high = -1 / most * (1 - edge), -1 / least * (1 - edge)
    return float(brentq(excess, low, high, xtol=1e-14))


def _estimate(penta: Sequence[int]) -> tuple[float, float, float, float]:
    """Elo with its 95 % interval, and the likelihood of superiority, the score taken as normal."""
    pairs = sum(penta)
    if not pairs:
        return 0.0, -math.inf, math.inf, 0.5
    counts = [count or UNSEEN for count in penta]
    total = sum(counts)
    mean = sum(count * value for count, value in zip(counts, SCORES, strict=True)) / total
    variance = sum(count * (value - mean) ** 2 for count, value in zip(counts, SCORES, strict=True)) / total
    error = math.sqrt(variance / total)
    return (
        _elo(mean),
        _elo(mean - Z95 * error),
        _elo(mean + Z95 * error),
        normal_cdf((mean - 0.5) / error),
    )


def _elo(score: float) -> float:
    """The Elo difference with this expected score."""
    inside = min(max(score, 1e-6), 1 - 1e-6)
    return SCALE * math.log(inside / (1 - inside))
