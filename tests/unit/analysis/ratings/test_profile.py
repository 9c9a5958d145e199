"""Intervals by profile likelihood."""

import math
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import multinomial

from analysis.ratings.elo import SCALE, expectation, fit
from analysis.ratings.match_arrays import Match
from analysis.ratings.profile import ends


def test_between_two_the_ends_are_those_of_the_likelihood_ratio_worked_out_by_hand() -> None:
    # Pairs as independent as two games, so many that imagined draws and the variance's shrinkage vanish.
    penta = (1_000, 0, 6_000, 0, 9_000)
    match = Match(1, 2, penta)
    low, high = ends(fit([match], {2: 1500.0}), [match])[1]
    games, won = 32_000, 12_000 / 2 + 18_000
    best = won / games

    def drop(elo: float) -> float:
        chance = expectation(elo)
        lost = (games - won) * math.log((1 - best) / (1 - chance))
        return 2 * (won * math.log(best / chance) + lost) - 3.8415

    top = SCALE * math.log(best / (1 - best))
    assert low - 1500 == pytest.approx(brentq(drop, top - 50, top), abs=0.3)
    assert high - 1500 == pytest.approx(brentq(drop, top, top + 50), abs=0.3)


def test_a_bot_that_won_or_lost_everything_is_better_or_worse_by_an_unknown_amount() -> None:
    low, high = interval((0, 0, 0, 0, 8))
    assert 1650 < low < 1900
    assert high == math.inf
    assert interval((8, 0, 0, 0, 0)) == pytest.approx((-math.inf, 3000 - low))
    match = Match(1, 2, (1, 2, 3, 2, 1))
    assert ends(fit([match], {2: 1500.0}), [match])[2] == (1500.0, 1500.0)
    assert ends(fit([]), []) == {}
    # Few pairs are told by Student's t and many by the normal distribution.
    assert fit([Match(1, 2, (2, 0, 4, 0, 2))]).reach > 2.05
    assert fit([Match(1, 2, (200, 0, 400, 0, 200))]).reach == pytest.approx(1.96, abs=0.002)


@cache
def interval(penta: tuple[int, ...]) -> tuple[float, float]:
    match = Match(1, 2, penta)  # type: ignore[arg-type]
    return ends(fit([match], {2: 1500.0}), [match])[1]


PAIRS = 8
RESULTS = [
    tuple(after - before - 1 for before, after in zip((-1, *bars), (*bars, PAIRS + 4), strict=True))
    for bars in combinations(range(PAIRS + 4), 4)
]
"""All numbers of pairs with 0 to 4 half points."""


@cache
def eight_pairs() -> np.typing.NDArray[np.float64]:
    return np.array([interval(penta) for penta in RESULTS]) - 1500


def covered(odds: np.typing.NDArray[np.float64], gap: float) -> float:
    """How often the interval of eight pairs holds the truth, if these are the odds of 0 to 4 half points."""
    low, high = eight_pairs().T
    return float(multinomial.pmf(RESULTS, PAIRS, odds)[(low <= gap) & (gap <= high)].sum())


@pytest.mark.parametrize(("kind", "gap"), [("plain", 400), ("like", 0), ("drawish", 200)])
def test_the_interval_of_eight_pairs_is_neither_too_narrow_nor_too_wide(kind: str, gap: int) -> None:
    found = []
    for true in range(gap - 45, gap + 46, 10):
        chance = expectation(true)
        drawn = min(0.6, 1.2 * min(chance, 1 - chance)) if kind == "drawish" else 0.0
        leg = [1 - chance - drawn / 2, drawn, chance - drawn / 2]
        odds = np.convolve(leg, leg)
        if kind == "like":
            least, best = min(chance, 1 - chance), max(chance, 1 - chance)
            same = [max(1 - 2 * chance, 0), 0, 2 * least, 0, max(2 * best - 1, 0) * (chance > 0.5)]
            odds = 0.4 * np.array(same) + 0.6 * odds
        found.append(covered(odds, true))
    assert 0.93 <= np.mean(found) <= 0.97
