"""Intervals by profile likelihood."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq

from analysis.ratings.elo import SCALE, Match, expectation, fit
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
        return (
            2 * (won * math.log(best / chance) + (games - won) * math.log((1 - best) / (1 - chance))) - 3.8415
        )

    top = SCALE * math.log(best / (1 - best))
    assert low - 1500 == pytest.approx(brentq(drop, top - 50, top), abs=0.3)
    assert high - 1500 == pytest.approx(brentq(drop, top, top + 50), abs=0.3)


def test_a_bot_that_won_everything_is_better_by_an_unknown_amount() -> None:
    match = Match(1, 2, (0, 0, 0, 0, 8))
    low, high = ends(fit([match], {2: 1500.0}), [match])[1]
    assert 1650 < low < 1900
    assert high == math.inf
    low, high = ends(fit([Match(1, 2, (8, 0, 0, 0, 0))], {2: 1500.0}), [Match(1, 2, (8, 0, 0, 0, 0))])[1]
    assert low == -math.inf
    assert 1100 < high < 1350


def test_an_anchor_alone_has_no_interval_and_no_games_have_none() -> None:
    match = Match(1, 2, (1, 2, 3, 2, 1))
    assert ends(fit([match], {2: 1500.0}), [match])[2] == (1500.0, 1500.0)
    assert ends(fit([]), []) == {}


@cache
def interval(penta: tuple[int, int, int, int, int]) -> tuple[float, float]:
    """The interval of a bot that met an anchor only."""
    match = Match(1, 2, penta)
    return ends(fit([match], {2: 1500.0}), [match])[1]


@pytest.mark.parametrize("gap", [0, 300, 600])
@pytest.mark.parametrize("pairs", [8, 40])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(gap: int, pairs: int) -> None:
    dice, held = np.random.default_rng(gap + pairs), 0
    for _ in range(200):
        true = gap + dice.uniform(-50, 50)
        scores = 2 * dice.binomial(1, expectation(true), (pairs, 2)).sum(axis=1)
        low, high = interval(tuple(map(int, np.bincount(scores, minlength=5))))
        held += low <= 1500 + true <= high
    # Of 200 190 are asked for; fewer than 179 would have a chance of 1 in 500.
    assert held >= 179


def test_among_many_the_ends_lie_where_the_normal_ones_do_if_games_are_many_and_even() -> None:
    dice = np.random.default_rng(9)
    matches = []
    for one in range(6):
        for other in range(one):
            scores = 2 * dice.binomial(1, 0.5, (100, 2)).sum(axis=1)
            matches.append(Match(one, other, tuple(map(int, np.bincount(scores, minlength=5)))))  # type: ignore[arg-type]
    fitted = fit(matches, {0: 1500.0, 1: 1500.0})
    for player, (low, high) in ends(fitted, matches).items():
        estimate = fitted.estimate(player)
        assert high - low == pytest.approx(2 * 1.96 * estimate.error, rel=0.05)
        assert (high + low) / 2 == pytest.approx(estimate.elo, abs=3)
