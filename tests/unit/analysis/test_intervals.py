"""Intervals where all values are equal or all are won, and where one looks after every pair.

Student's t agrees with SciPy's.
"""

import math

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.intervals import (
    mean_error,
    quantile,
    reach,
    score_interval,
    tail,
)


def test_scores_that_are_all_alike_are_no_certainty() -> None:
    for penta, low, high in (
        ((0, 0, 1, 0, 0), 0.03, 0.97),
        ((0, 0, 100, 0, 0), 0.48, 0.52),
        ((0, 0, 100, 0, 1), 0.48, 0.53),
        ((0, 0, 0, 0, 1), 0.13, 1.0),
        ((3, 0, 0, 0, 0), 0.0, 0.55),
    ):
        found = score_interval(penta)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_means_of_values_that_are_all_alike_are_no_certainty() -> None:
    assert mean_error([]) == mean_error([0.0] * 50) == math.inf
    assert min(mean_error([-0.1]), mean_error([-0.1] * 2)) > 0.1 > mean_error([-0.1] * 20) > 0.01
    assert mean_error([-0.1, *[0.0] * 99]) > 0.001
    values = np.random.default_rng(1).normal(0.1, 1.0, 2_000)
    assert mean_error(values.tolist()) == pytest.approx(1.96 / math.sqrt(2_000), rel=0.05)


def test_the_reach_is_that_of_the_paper_once_there_are_many_pairs() -> None:
    # The boundary of Waudby-Smith et al. with rho for 50 pairs, written out.
    rho2, pairs = (-2 * math.log(0.05) + math.log(-2 * math.log(0.05) + 1)) / 50, 100_000
    logarithm = math.log(math.sqrt(pairs * rho2 + 1) / 0.05)
    expected = math.sqrt(2 * (pairs * rho2 + 1) / (pairs**2 * rho2) * logarithm)
    assert reach(pairs) == pytest.approx(expected, rel=1e-3)
    # At 1,000 pairs 1.5 to 1.8 times a fixed-sample interval.
    assert 1.5 < reach(1000) * math.sqrt(1000) / 1.96 < 1.8


@pytest.mark.parametrize("degrees", [1, 2, 3, 5, 9, 30, 200, 5_000, 400_000])
def test_tail_and_quantile_are_scipys(degrees: int) -> None:
    for t in (-4.0, -0.3, 0.0, 1e-6, 0.5, 1.96, 7.0, 40.0):
        assert tail(t, degrees) == pytest.approx(float(student.sf(t, degrees)), rel=1e-9, abs=1e-280)
    for probability in (0.5, 0.75, 0.975, 0.9999):
        expected = float(student.ppf(probability, degrees))
        assert quantile(probability, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-12)
