"""What share of the luck is taken out of a pair comes from the pairs before it: nothing is biased."""

from itertools import product

import numpy as np
import pytest

from analysis.luck.subtracted_share import adjust_pairs


def test_over_all_that_could_have_come_the_mean_is_exactly_that_of_the_results() -> None:
    # Each pair's luck is one of these by chance, and goes with its result, more or less.
    ways = list(product([(2.0, 1.0), (0.5, 0.5), (-1.0, -1.5)], repeat=6))
    left = np.array([adjust_pairs(way) for way in ways])
    plain = np.array([[value for value, _ in way] for way in ways])
    assert left.mean(axis=0) == pytest.approx(plain.mean(axis=0))
    assert left.var() < plain.var()


def test_luck_that_tells_nothing_of_two_bots_is_taken_out_less_and_less() -> None:
    chance = np.random.default_rng(4)
    values, lucks = chance.normal(0, 1, (2, 400))
    left = np.array(adjust_pairs(zip(values.tolist(), lucks.tolist(), strict=True)))
    assert (values - lucks).var() > 1.7
    assert left[100:].var() < 1.1


def test_the_published_share_holds_until_two_pairs_tell_otherwise_and_sides_can_be_swapped() -> None:
    assert adjust_pairs([(1.0, 0.25), (2.0, -0.5)]) == [0.75, 2.5]
    pairs = [(1.0, 0.5), (0.0, 0.25), (-1.0, 0.5), (0.5, -0.75), (0.0, 0.5)]
    turned = adjust_pairs((-value, -luck) for value, luck in pairs)
    assert turned == [-value for value in adjust_pairs(pairs)]
