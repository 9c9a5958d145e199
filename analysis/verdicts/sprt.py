"""The generalised sequential probability ratio test on pairs (pentanomial), as chess engine testers use it.

The five frequencies of a pair's half points are the data; what is tested is their mean, Elo as an expected
score 1 / (1 + 10^(-Elo/400)): H0 "the difference is elo0" against H1 "it is elo1". The log-likelihood ratio
is that of the two maximum likelihood distributions with the means prescribed (M. Van den Bergh, "The
generalized maximum likelihood ratio for the expectation value of a distribution", 2019), the bounds are
Wald's (Annals of Mathematical Statistics 16, 1945). They hold once enough pairs were not level; until then,
bets, which are right of any number, must say the same (`bets`). The pair is the unit, so the dependence of
its two games is accounted for.

With normalised bounds the mean is tested in standard deviations instead: 800 / ln 10 normalised Elo are one
standard deviation of a game (M. Van den Bergh, "Normalized Elo", 2020, as fishtest has it). Such a test takes
as long in a drawish game as in any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import SCALE, expectation
from analysis.verdicts.difference import Difference, difference, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NORMALISED: Final = 2 * SCALE
"""Normalised Elo for a mean one standard deviation of a game's score above a half, 800 / ln 10."""

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
MANY: Final = 30
"""Pairs that were not level, from which on the ratio's error rates are those that were asked for."""
UNSEEN: Final = 1e-3
"""Pairs imagined for an outcome that was not seen, so that every mean is possible (as fishtest does)."""
INDEPENDENT: Final = 0.125
"""The variance of a pair's score (0 … 1) when both games are won or lost independently by equals."""

IMAGINED: Final = 5
"""Such pairs, from whose variance stakes start."""

MOST_STAKE: Final = 0.9
"""The largest part of the wealth that a value can lose."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested: elo0 < elo1, and the chances of deciding wrongly: alpha for H1, beta for H0.

    Both are normalised Elo if `normalised` is set.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    normalised: bool = False

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Hypotheses:
        """What a tournament's options say; those written before bounds could be normalised have none such."""
        elo0, elo1, alpha, beta = (options[name] for name in ("elo0", "elo1", "alpha", "beta"))
        return cls(elo0, elo1, alpha, beta, bool(options.get("normalised")))

    @property
    def unit(self) -> str:
        """``Elo`` or ``nElo``."""
        return "nElo" if self.normalised else "Elo"

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

    `penta` are the pairs with 0 to 4 half points. `difference` is of the pairs as if their number had been
    fixed beforehand; after an early stop it leans away from 0.
    """

    pairs: int
    llr: float
    lower: float
    upper: float
    decision: str
    penta: tuple[int, ...]

    @property
    def difference(self) -> Difference:
        """How much better the first is, by the pairs that count."""
        return difference(self.penta)

    @property
    def unlike(self) -> int:
        """How many pairs were not level."""
        return self.pairs - self.penta[2]

    @property
    def early(self) -> bool:
        """Whether the ratio is beyond a bound, and there are too few pairs to decide by it."""
        return not self.decision and not self.lower < self.llr < self.upper

    @property
    def words(self) -> str:
        """For people: "+14 ± 9 Elo, LOS 98.3 %, accepted"."""
        ends = {"H0": "rejected", "H1": "accepted", "": "undecided"}
        found = self.difference
        return f"{found.words}, LOS {percent(found.superiority)}, {ends[self.decision]}"


def judge(scores: Sequence[int], hypotheses: Hypotheses, *, doubted: bool = True) -> Verdict:
    """Where a test stands after pairs worth `scores` half points (0 to 4 each), in the order they were made.

    The test ends with the first pair at which the ratio leaves the bounds; pairs after it are not counted,
    even if several results arrived together and the ratio was never looked at in between. If `doubted`,
    which tests of before were not, bets must say the same while fewer than `MANY` pairs were not level.
    """
    counts = _counts(scores)
    ratios = np.asarray(_known_ratios(tuple(scores), hypotheses))
    accepted, rejected = ratios >= hypotheses.upper, ratios <= hypotheses.lower
    if doubted and not hypotheses.normalised and len(ratios):
        values = np.asarray(scores, dtype=np.float64) / 4 - 0.5
        won = bets(values, (expectation(hypotheses.elo0) - 0.5, expectation(hypotheses.elo1) - 0.5), 0.5)
        many = np.cumsum(values != 0) >= MANY
        accepted &= many | (won >= -math.log(hypotheses.alpha))
        rejected &= many | (won <= math.log(hypotheses.beta))
    crossed = np.flatnonzero(accepted | rejected)
    pairs = int(crossed[0]) + 1 if crossed.size else len(ratios)
    llr = float(ratios[pairs - 1]) if pairs else 0.0
    decision = "" if not crossed.size else "H1" if accepted[crossed[0]] else "H0"
    penta = tuple(int(count) for count in counts[pairs - 1]) if pairs else (0,) * 5
    return Verdict(pairs, llr, hypotheses.lower, hypotheses.upper, decision, penta)


def curve(scores: Sequence[int], hypotheses: Hypotheses) -> list[float]:
    """The log-likelihood ratio after each pair, in the order they were made."""
    return list(_known_ratios(tuple(scores), hypotheses))


@lru_cache(maxsize=64)
def _known_ratios(scores: tuple[int, ...], hypotheses: Hypotheses) -> tuple[float, ...]:
    """The ratio after each pair. Kept, as thousands of pairs cost a second and a page is read many times."""
    return tuple(ratios_of(_counts(scores), hypotheses).tolist())


def _counts(scores: Sequence[int]) -> NDArray[np.int64]:
    return np.cumsum(np.eye(5, dtype=np.int64)[np.asarray(scores, dtype=np.intp)], axis=0)


def ratios_of(counts: NDArray[np.int64], hypotheses: Hypotheses) -> NDArray[np.float64]:
    """The ratios of H1 to H0; each row of `counts`, (n, 5), are the pairs with 0 to 4 half points."""
    if hypotheses.normalised:
        return normalised_ratios(counts, hypotheses.elo0 / NORMALISED, hypotheses.elo1 / NORMALISED)
    return log_likelihood_ratios(counts, expectation(hypotheses.elo0), expectation(hypotheses.elo1))


def log_likelihood_ratios(counts: NDArray[np.int64], score0: float, score1: float) -> NDArray[np.float64]:
    """The generalised log-likelihood ratios of mean score `score1` against `score0` (0 … 1 a game).

    Each row of `counts`, (n, 5), are the pairs with 0 to 4 half points; the result has shape (n,).
    """
    total, frequencies = _frequencies(counts)
    away0, away1 = np.array(SCORES) - score0, np.array(SCORES) - score1
    root0, root1 = _multipliers(frequencies, away0), _multipliers(frequencies, away1)
    terms = np.log1p(root0[:, None] * away0) - np.log1p(root1[:, None] * away1)
    return np.asarray(total * (frequencies * terms).sum(axis=1))


def normalised_ratios(counts: NDArray[np.int64], effect0: float, effect1: float) -> NDArray[np.float64]:
    """The same where the hypotheses are means in standard deviations of a game above a half."""
    total, frequencies = _frequencies(counts)
    # The mean of two games varies by the root of two less than one.
    one = _with_effect(frequencies, effect1 * math.sqrt(2))
    other = _with_effect(frequencies, effect0 * math.sqrt(2))
    return np.asarray(total * (frequencies * (np.log(one) - np.log(other))).sum(axis=1))


def _frequencies(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seen = np.where(counts > 0, counts, UNSEEN).reshape(-1, 5)
    total = seen.sum(axis=1)
    return total, seen / total[:, None]


def _with_effect(frequencies: NDArray[np.float64], effect: float) -> NDArray[np.float64]:
    """The likeliest distributions whose mean is so many standard deviations above a half.

    The constraint is made linear about the last solution and solved again (Van den Bergh, section 4).
    """
    values = np.array(SCORES)
    likeliest = np.full_like(frequencies, 1 / len(SCORES))
    for _ in range(30):
        mean = likeliest @ values
        deviation = np.sqrt(np.maximum(likeliest @ values**2 - mean**2, 1e-12))
        scaled = (values - mean[:, None]) / deviation[:, None]
        away = values - 0.5 - effect * deviation[:, None] * (1 + scaled**2) / 2
        following = frequencies / (1 + _multipliers(frequencies, away)[:, None] * away)
        change = np.max(np.abs(following - likeliest), initial=0.0)
        likeliest = following
        if change < 1e-10:
            break
    return likeliest


def _multipliers(frequencies: NDArray[np.float64], away: NDArray[np.float64]) -> NDArray[np.float64]:
    """The Lagrange multipliers x of the likeliest distributions f / (1 + x away) in which `away` has mean 0.

    Where the sum of f away / (1 + x away), which falls in x, is 0; by Newton's method, kept inside an
    interval that is halved whenever a step would leave it. `away` is one row for all, or a row each.
    """
    edge = 1e-12
    ends = np.broadcast_to(away, frequencies.shape)
    low = -1 / ends.max(axis=1) * (1 - edge)
    high = -1 / ends.min(axis=1) * (1 - edge)
    found = np.zeros(len(frequencies))
    open_still = np.arange(len(frequencies))
    for _ in range(200):
        x, odds, far = found[open_still], frequencies[open_still], ends[open_still]
        share = far / (1 + x[:, None] * far)
        excess = (odds * share).sum(axis=1)
        least = np.where(excess > 0, x, low[open_still])
        most = np.where(excess > 0, high[open_still], x)
        following = x + excess / (odds * share**2).sum(axis=1)
        outside = (following <= least) | (following >= most)
        following = np.where(outside, (least + most) / 2, following)
        low[open_still], high[open_still], found[open_still] = least, most, following
        # The next step would be the square of this one.
        open_still = open_still[np.abs(following - x) > 1e-11 * (1 + np.abs(x))]
        if not open_still.size:
            break
    return found


def bets(values: Floats, means: tuple[float, float], farthest: float) -> Floats:
    """How much more, in log wealth, bets against the lower mean win than bets against the higher one.

    Right whatever the distribution of the values, and of any number of them. One player bets against "the
    mean is the lower one or less", another against "it is the higher one or more", each the stake that grows
    fastest if the other hypothesis is true, given the variance of earlier values (I. Waudby-Smith, A. Ramdas,
    "Estimating means of bounded random variables by betting", Journal of the Royal Statistical Society B 86,
    2024). A bet against what is true is no better than fair, so whoever starts with 1 ever reaches 1 / risk
    with at most that risk (J. Ville, 1939).

    After each value; of both only what is won counts. Values further from 0 than `farthest` count as that. In
    ordinary play this is the log-likelihood ratio of the two means. A stake is the part of the wealth put on
    a value's distance from the mean: the distance of the means over the mean square.
    """
    low, high = means
    before = np.arange(len(values))
    held = np.clip(values, -farthest, farthest)
    total, squares = np.cumsum(held) - held, np.cumsum(held**2) - held**2
    spread = np.maximum(squares - total**2 / np.maximum(before, 1), 0.0)
    variance = (spread + IMAGINED * INDEPENDENT) / (before + IMAGINED)
    stake = (high - low) / (variance + (high - low) ** 2)
    above = np.cumsum(np.log1p(np.minimum(stake, MOST_STAKE / (farthest + low)) * (held - low)))
    below = np.cumsum(np.log1p(np.minimum(stake, MOST_STAKE / (farthest - high)) * (high - held)))
    return np.asarray(np.maximum(above, 0.0) - np.maximum(below, 0.0))
