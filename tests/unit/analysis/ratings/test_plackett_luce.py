"""Ratings of games with several seats."""

import math

import pytest

from analysis.ratings.plackett_luce import fit


def test_between_two_it_is_bradley_and_terrys_model_and_a_draw_counts_half_for_each() -> None:
    won, lost, drawn = [[[1], [2]]], [[[2], [1]]], [[[1, 2]]]
    for games, elo in (([won] * 30_000 + [lost] * 10_000, 400 * math.log10(3)), ([drawn] * 40, 0)):
        found = fit(games, {2: 1500.0})
        assert found[1].elo - found[2].elo == pytest.approx(elo, abs=0.1)
        assert (found[2].elo, found[2].error) == pytest.approx((1500, 0))
    mixed = fit([won] * 20_000 + [drawn] * 20_000, {2: 1500.0})
    assert mixed[1].elo - 1500 == pytest.approx(400 * math.log10(3), abs=0.1)


def test_who_lost_every_game_has_a_rating_and_without_games_nobody() -> None:
    found = fit([[[[1], [2], [3]]]] * 10, {1: 1500.0})
    assert found[1].elo > found[2].elo > found[3].elo > 0
    assert fit([]) == {}


def test_who_no_chain_of_games_leads_to_an_anchor_stands_apart() -> None:
    found = fit([[[[1], [2], [3]]], [[[2], [3], [1]]], [[[7], [8], [9]]]] * 5, {2: 1600.0, 3: 1400.0})
    assert [found[one].anchored for one in (1, 2, 3, 7, 8, 9)] == [True] * 3 + [False] * 3
    assert (found[2].elo + found[3].elo) / 2 == pytest.approx(1500)
    assert (found[7].elo + found[8].elo + found[9].elo) / 3 == pytest.approx(1500)
