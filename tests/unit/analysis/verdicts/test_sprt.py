"""Sequential tests on pairs."""

import random

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

from analysis.ratings.elo import expectation
from analysis.verdicts.difference import UNKNOWN
from analysis.verdicts.sprt import (
    SCORES,
    Hypotheses,
    curve,
    judge,
    log_likelihood_ratios,
)


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
