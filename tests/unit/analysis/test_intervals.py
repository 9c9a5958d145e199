"""Intervals where all values are equal, where one is unlike, and where all are won."""

import math
import random

import pytest

from analysis.intervals import mean_error, score_interval


@pytest.mark.parametrize(
    ("penta", "low", "high"),
    [
        ((0, 0, 1, 0, 0), 0.03, 0.97),
        ((0, 0, 100, 0, 0), 0.48, 0.52),
        ((0, 0, 100, 0, 1), 0.48, 0.53),
        ((0, 0, 0, 0, 1), 0.13, 1.0),
        ((3, 0, 0, 0, 0), 0.0, 0.55),
    ],
)
def test_scores_that_are_all_alike_are_no_certainty(penta: tuple[int, ...], low: float, high: float) -> None:
    found = score_interval(penta)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


def test_means_of_values_that_are_all_alike_are_no_certainty() -> None:
    assert mean_error([]) == mean_error([0.0] * 50) == math.inf
    assert mean_error([-0.1]) > 0.1
    assert mean_error([-0.1] * 2) > 0.1
    assert 0.01 < mean_error([-0.1] * 20) < 0.1
    assert mean_error([-0.1, *[0.0] * 99]) > 0.001
    dice = random.Random(1)
    values = [dice.gauss(0.1, 1.0) for _ in range(2_000)]
    assert mean_error(values) == pytest.approx(1.96 / math.sqrt(2_000), rel=0.05)
