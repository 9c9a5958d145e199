"""How many Elo one of two bots is better.

Who is better by margins.
"""

import math

import pytest

from analysis.ratings.elo import ANCHOR_ELO
from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.match_arrays import Match
from analysis.verdicts.difference import MarginVerdict, difference, verdict

Penta = tuple[int, int, int, int, int]


def test_few_level_and_one_sided_pairs_have_an_honest_interval() -> None:
    for penta, words in (
        ((0, 0, 0, 0, 1), "+191 (above -261) Elo"),
        ((2, 0, 0, 0, 0), "-280 (below +82) Elo"),
        ((0, 0, 1, 0, 0), "0 ± 839 Elo"),
        ((0, 0, 100, 0, 0), "0 ± 10 Elo"),
        ((0, 0, 2_000, 0, 0), "0 ± 0.5 Elo"),
        ((0, 0, 500, 0, 1), "+1 ± 2 Elo"),
        ((1, 0, 0, 0, 1), "0 ± 430 Elo"),
        ((0, 0, 0, 0, 0), "0 (± any) Elo"),
        ((30, 100, 200, 140, 70), "+39 ± 16 Elo"),
    ):
        found = difference(penta)
        assert found.words == words
        assert found.low < found.elo < found.high


@pytest.mark.parametrize("penta", [(0, 0, 0, 0, 3), (3, 1, 20, 2, 9), (0, 0, 40, 0, 0)])
def test_it_is_what_a_league_of_the_two_says(penta: Penta) -> None:
    weighed = FitInputs({1: ANCHOR_ELO}, (Match(0, 1, penta),)).rate()
    low, high = intervals(weighed)[0]
    found = difference(penta).as_dict()
    assert found["elo"] == pytest.approx(weighed.fit.estimate(0).elo - ANCHOR_ELO, abs=0.01)
    assert found["low"] == pytest.approx((low or math.nan) - ANCHOR_ELO, abs=0.01)
    assert found["high"] == (None if high is None else pytest.approx(high - ANCHOR_ELO, abs=0.01))


def judged(*sums: float) -> MarginVerdict:
    found = verdict(int(sums[0]), *sums[1:])
    assert found is not None
    return found


def test_a_clear_margin_names_the_better_one_once_there_are_enough_pairs() -> None:
    assert [judged(100, sign * 300.0, 100 * (9 + 16)).better for sign in (1, -1)] == [1, -1]
    early, first, later = judged(9, 27.0, 81.0), judged(10, 30.0, 90.0), judged(20, 60.0, 180.0)
    assert (early.mean, early.low, early.high) == (3.0, -math.inf, math.inf)
    assert (early.early, early.better, first.early) == (True, 0, False)
    # Ten may be the head of a skewed distribution; twenty of a kind are a verdict.
    assert (first.better, later.better) == (0, 1)


def test_level_pairs_prove_nothing_and_no_pairs_are_no_verdict() -> None:
    few, many = judged(20, 0.0, 0.0), judged(2_000, 0.0, 0.0)
    assert few.low < -1 < 1 < few.high
    assert many.low < 0 < many.high < few.high / 10
    assert verdict(0, 0.0, 0.0) is None
