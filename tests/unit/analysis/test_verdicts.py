"""Sequential tests, and how much better one of two bots is."""

import math
import random
from itertools import product
from typing import Any

import numpy
import numpy as np
import pytest
from scipy import stats
from scipy.optimize import LinearConstraint, minimize, minimize_scalar
from scipy.stats import norm

from analysis.ratings.elo import ANCHOR_ELO, expectation
from analysis.ratings.inputs import FitInputs, intervals
from analysis.ratings.match_arrays import Match
from analysis.verdicts.difference import UNKNOWN, MarginVerdict, difference, verdict
from analysis.verdicts.sequential import FIRST, FIRST_MARGINS, UNLIKE, by_margins, by_results, effect_ratios
from analysis.verdicts.sprt import (
    NORMALISED,
    SCORES,
    Hypotheses,
    Verdict,
    bets,
    curve,
    judge,
    log_likelihood_ratios,
    normalised_ratios,
)
from analysis.verdicts.stratified_test import Stratum, excess

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


ASKED = Hypotheses(0, 20)


def test_the_ratio_of_effects_is_that_of_the_two_likeliest_normal_distributions() -> None:
    values = np.random.default_rng(2).normal(3, 9, 60)

    def likeliest(effect: float) -> float:
        found = minimize_scalar(
            lambda deviation: -float(norm.logpdf(values, effect * deviation, deviation).sum()),
            bounds=(1, 50),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return -float(found.fun)

    assert effect_ratios(values, 0.0, 0.2)[-1] == pytest.approx(likeliest(0.2) - likeliest(0.0), abs=1e-6)


def test_bets_are_the_likelihood_ratio_of_two_means_in_ordinary_play() -> None:
    values = np.random.default_rng(1).normal(0.03, 0.2, 2_000)
    variance = float(values.var())
    mean0, mean1 = 0.0, 0.02
    expected = 2_000 * (mean1 - mean0) * (float(values.mean()) - (mean0 + mean1) / 2) / variance
    assert bets(values, (mean0, mean1), 1.0)[-1] == pytest.approx(expected, rel=0.1)
    # A bet depends on earlier pairs alone.
    changed = np.concatenate([values[:60], -values[60:100]])
    found, other = (bets(one, (0.0, 0.02), 1.0)[:60] for one in (values[:100], changed))
    assert found == pytest.approx(other)


def test_the_first_pair_beyond_a_bound_decides_but_none_of_the_first_ones() -> None:
    won = by_results([0.5] * 200, Hypotheses(0, 100))
    assert (won.decision, won.pairs) == ("H1", FIRST)
    assert len(won.ratios) == FIRST
    ahead = by_margins([10.0, 11.0] * 100, Hypotheses(0, 100))
    assert (ahead.decision, ahead.pairs) == ("H1", FIRST_MARGINS)
    assert by_margins([-10.0, -11.0] * 100, Hypotheses(0, 100)).decision == "H0"
    assert by_results([], ASKED).decision == ""


@pytest.mark.parametrize("ends", [(-10, 0), (0, 20), (-5, 5), (0, 5), (0, 100)])
def test_level_pairs_decide_nothing_however_many_there_are(ends: tuple[float, float]) -> None:
    for unlike, normalised, test in product(
        ([], [0.5], [0.5, -0.5], [-0.5] * (UNLIKE - 1)), (False, True), (by_results, by_margins)
    ):
        found = test([*unlike, *[0.0] * 1_000], Hypotheses(*ends, normalised=normalised))
        assert (found.decision, found.pairs, found.unlike) == ("", 1_000 + len(unlike), len(unlike))
        assert np.isfinite(found.ratios).all()
        assert found.early == (not found.lower < found.llr < found.upper)


def by_wins(values: list[float], asked: Hypotheses) -> Verdict:
    return judge([round(4 * value) + 2 for value in values], asked)


@pytest.mark.parametrize(
    ("test", "ends", "share", "won"),
    [(by_results, (0, 20), 0.1, 0.5), (by_margins, (-10, 0), 0.05, 0.409), (by_wins, (0, 20), 0.1, 0.5)],
)
def test_versions_that_hardly_differ_are_as_seldom_judged_wrongly_as_asked_for(
    test: Any, ends: tuple[float, float], share: float, won: float
) -> None:
    """So many pairs are unlike, and of these so many won: at a bound or past it. More of them: ``./crapette
    bench truth --only near``."""
    dice, shape = np.random.default_rng(6), (60, 1_000)
    values = np.where(dice.random(shape) < share, np.where(dice.random(shape) < won, 0.5, -0.5), 0.0)
    found = [test(row.tolist(), Hypotheses(*ends)) for row in values]
    # Mean 3 of 60 at most; more than 8 has a chance below 1 in 100.
    assert sum(one.decision == "H1" for one in found) <= 8
    assert test is by_wins or all(one.unlike >= UNLIKE for one in found if one.decision)


def log_likelihood_ratio(penta: tuple[int, ...], score0: float, score1: float) -> float:
    return float(log_likelihood_ratios(np.array([penta]), score0, score1)[0])


def constrained_likelihood(frequencies: list[float], mean: float) -> float:
    """The largest mean log-likelihood of a distribution with this mean, found by a general optimiser."""
    values = np.array(SCORES)
    found = minimize(
        lambda p: -float(np.dot(frequencies, np.log(np.maximum(p, 1e-300)))),
        np.full(5, 0.2),
        method="SLSQP",
        bounds=[(1e-9, 1.0)] * 5,
        constraints=LinearConstraint(np.vstack([np.ones(5), values]), [1.0, mean], [1.0, mean]),
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return -float(found.fun)


def test_the_ratio_is_that_of_the_two_likeliest_distributions() -> None:
    for penta in ((10, 20, 40, 22, 8), (5, 1, 80, 3, 11)):
        frequencies = [count / sum(penta) for count in penta]
        scores = expectation(0), expectation(20)
        less, more = (sum(penta) * constrained_likelihood(frequencies, score) for score in scores)
        assert log_likelihood_ratio(penta, *scores) == pytest.approx(more - less, abs=2e-3)
    there = log_likelihood_ratio(penta, expectation(-10), expectation(10))
    back = log_likelihood_ratio(penta[::-1], expectation(-10), expectation(10))
    assert there == pytest.approx(-back), "turning the players round turns it round"


def test_one_sided_results_are_decided_and_survive_zero_variance() -> None:
    # H1's likeliest distribution gives a won pair 0.514, H0's 0.5: it takes 2.944 / ln(1.0288), 104 pairs.
    assert judge([4] * 103, Hypotheses(0, 10)).decision == ""
    won = judge([4] * 110, Hypotheses(0, 10))
    assert (won.decision, won.pairs) == ("H1", 104)
    assert won.difference.superiority == pytest.approx(1, abs=1e-4)
    assert judge([0] * 110, Hypotheses(0, 10)).decision == "H0"
    twins = judge([2] * 500, Hypotheses(0, 10))
    # The ratio's bound is reached after 102 level pairs, but while so few are unlike the bets must agree.
    assert (twins.decision, twins.pairs) == ("H0", 151)
    assert judge([2] * 500, Hypotheses(0, 10), doubted=False).pairs == 102
    assert judge([2] * 110, Hypotheses(0, 10)).early
    assert twins.difference.words == "0 ± 6 Elo"
    none = judge([], Hypotheses())
    assert (none.pairs, none.llr, none.decision, none.difference) == (0, 0.0, "", UNKNOWN)


def test_a_look_after_every_pair_decides_as_one_look_at_the_end() -> None:
    rng, hypotheses = random.Random(8), Hypotheses(0, 60, 0.1, 0.1)
    for _ in range(3):
        scores = [rng.choice((0, 1, 2, 2, 3, 4)) for _ in range(80)]
        whole = judge(scores, hypotheses)
        looks = (judge(scores[:pairs], hypotheses) for pairs in range(1, 81))
        first = next((one for one in looks if one.decision), whole)
        assert (whole.decision, whole.pairs) == (first.decision, first.pairs)
        assert whole.llr == pytest.approx(first.llr)
        found = curve(scores, hypotheses)
        assert len(found) == len(scores)
        assert found[whole.pairs - 1] == pytest.approx(whole.llr)


def test_one_kind_is_the_chi_squared_test_with_one_trial_less() -> None:
    one = Stratum(here=14, of_here=60, elsewhere=9, of_elsewhere=180)
    found = excess([one])
    table = numpy.array([[14, 46], [9, 171]])
    expected = stats.contingency.expected_freq(table)[0, 0]
    plain = stats.chi2_contingency(table, correction=True).statistic
    assert found.expected == pytest.approx(expected)
    assert found.chi_squared == pytest.approx(plain * 239 / 240)
    assert found.p == pytest.approx(stats.chi2.sf(found.chi_squared, 1))


def test_kinds_are_compared_within_themselves() -> None:
    # The slow kind was played here, the quick one elsewhere: nothing follows for the place.
    assert excess([Stratum(20, 30, 4, 6), Stratum(0, 6, 0, 30)]).p > 0.5
    # Thrown together they would look like a difference.
    assert excess([Stratum(20, 36, 4, 36)]).p < 0.001


def test_normalised_bounds_are_the_likeliest_distributions_with_such_an_effect() -> None:
    penta = (30, 100, 200, 140, 70)
    total = sum(penta)
    values = np.array(SCORES)

    def likeliest(effect: float) -> float:
        def excess(p: np.ndarray) -> float:
            mean = float(p @ values)
            return mean - 0.5 - effect * math.sqrt(2) * math.sqrt(float(p @ values**2) - mean**2)

        found = minimize(
            lambda p: -float(np.dot(penta, np.log(np.maximum(p, 1e-300)))) / total,
            np.array(penta) / total,
            method="SLSQP",
            bounds=[(1e-6, 1.0)] * 5,
            constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": excess}],
            options={"ftol": 1e-15, "maxiter": 1000},
        )
        return -total * float(found.fun)

    found = float(normalised_ratios(np.array([penta]), 0.0, 30 / NORMALISED)[0])
    assert found == pytest.approx(likeliest(30 / NORMALISED) - likeliest(0.0), abs=5e-3)
