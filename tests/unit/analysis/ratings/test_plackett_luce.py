"""Ratings of games with several seats."""

import math
import random

import pytest

from analysis.ratings.elo import SCALE
from analysis.ratings.plackett_luce import fit


def test_between_two_it_is_bradley_and_terrys_model() -> None:
    found = fit([[[1], [2]]] * 30_000 + [[[2], [1]]] * 10_000, anchor=2)
    assert found[1].elo - found[2].elo == pytest.approx(400 * math.log10(3), abs=0.1)
    assert found[2].elo == pytest.approx(1500)
    assert found[2].error == 0


def test_a_drawn_game_counts_half_for_each() -> None:
    halves = fit([[[1, 2]]] * 40, anchor=2)
    assert halves[1].elo == pytest.approx(1500)
    mixed = fit([[[1], [2]]] * 20_000 + [[[1, 2]]] * 20_000, anchor=2)
    assert mixed[1].elo - 1500 == pytest.approx(400 * math.log10(3), abs=0.1)


def test_strengths_are_found_again_from_simulated_games_of_four() -> None:
    rng = random.Random(5)
    truth = {1: 1500.0, 2: 1600.0, 3: 1450.0, 4: 1700.0}
    rankings = []
    for _ in range(3000):
        left = list(truth)
        order = []
        while left:
            weights = [math.exp(truth[player] / SCALE) for player in left]
            (chosen,) = rng.choices(left, weights)
            left.remove(chosen)
            order.append([chosen])
        rankings.append(order)
    found = fit(rankings, anchor=1)
    for player, elo in truth.items():
        assert abs(found[player].elo - elo) <= 3 * found[player].error + 1e-6
        assert found[player].error < 12


def test_a_bot_that_lost_every_game_has_a_rating() -> None:
    found = fit([[[1], [2], [3]]] * 10, anchor=1)
    assert found[1].elo > found[2].elo > found[3].elo > 0


def test_without_games_nobody_is_rated() -> None:
    assert fit([]) == {}
