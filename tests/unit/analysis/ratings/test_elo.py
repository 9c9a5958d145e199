"""Ratings as a pure function of accepted pairs."""

import math

import pytest

from analysis.ratings.elo import expectation, fit
from analysis.ratings.match_arrays import Match


def test_three_points_of_four_are_191_elo_and_equal_scores_equal_ratings() -> None:
    # 400 log10(3) = 190.85; the imagined draws weigh nothing among so many pairs.
    fitted = fit([Match(1, 2, (0, 0, 0, 100_000, 0))], anchors={2: 1500.0})
    assert fitted.estimate(1).elo - fitted.estimate(2).elo == pytest.approx(400 * math.log10(3), abs=0.02)
    assert (fitted.estimate(2).elo, fitted.estimate(2).error) == pytest.approx((1500, 0))
    equal = fit([Match(1, 2, (0, 0, 10, 0, 0)), Match(2, 3, (5, 0, 0, 0, 5))], anchors={1: 1500.0})
    assert [estimate.elo for estimate in equal.estimates] == pytest.approx([1500, 1500, 1500])
    assert all(estimate.anchored for estimate in equal.estimates)
    assert equal.superiority(1, 3) == pytest.approx(0.5)


def test_anchors_stay_where_they_are_put_whatever_is_thrown_to_one_of_them() -> None:
    honest = [Match(1, 2, (0, 0, 40, 0, 20)), Match(2, 3, (3, 0, 30, 0, 27)), Match(1, 3, (0, 5, 20, 5, 30))]
    anchors = {1: 1600.0, 2: 1500.0}
    fitted = fit(honest, anchors)
    for player, elo in anchors.items():
        assert fitted.estimate(player).elo == pytest.approx(elo)
        assert fitted.estimate(player).error == pytest.approx(0)
    thrown = fit([*honest, *(Match(1, number, (0, 0, 0, 0, 200)) for number in range(10, 20))], anchors)
    # But for the imagined draws, which are spread over the games of both.
    assert thrown.estimate(3).elo == pytest.approx(fitted.estimate(3).elo, abs=1)
    assert thrown.estimate(12).elo < 900


def test_without_a_chain_of_games_to_the_anchor_a_bot_is_marked_and_without_games_unrated() -> None:
    fitted = fit([Match(1, 2, (0, 0, 2, 0, 3)), Match(3, 4, (0, 0, 0, 4, 0))], anchors={2: 1500.0})
    assert [fitted.estimate(one).anchored for one in (1, 3)] == [True, False]
    assert fitted.estimate(3).elo + fitted.estimate(4).elo == pytest.approx(3000)
    assert fit([Match(1, 2, (0, 0, 0, 0, 0))]).players == ()
    with pytest.raises(KeyError, match="1"):
        fit([]).estimate(1)


def test_without_luck_the_same_pairs_tell_more_and_never_more_than_all_of_them_won() -> None:
    penta = (10, 0, 20, 0, 30)
    plain, alike = (fit([Match(1, 2, penta, fair=fair)], {2: 1500.0}) for fair in (None, (80.0, 140.0)))
    assert alike.estimate(1) == plain.estimate(1), "these are the sums of the results themselves"
    told = fit([Match(1, 2, penta, fair=(70.0, 100.0))], {2: 1500.0}).estimate(1)
    assert told.elo < plain.estimate(1).elo - 40
    assert told.error < plain.estimate(1).error * 0.8
    won = fit([Match(1, 2, (0, 0, 0, 0, 60))], {2: 1500.0}).estimate(1)
    assert fit([Match(1, 2, penta, fair=(130.0, 300.0))], {2: 1500.0}).estimate(1).elo == won.elo


def test_the_fit_is_where_expected_and_made_points_agree() -> None:
    pentas = {(1, 2): (10, 20, 300, 420, 250), (2, 3): (50, 0, 800, 0, 150), (1, 3): (9, 9, 9, 9, 900)}
    fitted = fit([Match(*couple, penta) for couple, penta in pentas.items()], anchors={3: 1500.0})
    surplus = dict.fromkeys((1, 2, 3), 0.0)
    for (one, other), penta in pentas.items():
        chance = expectation(fitted.estimate(one).elo - fitted.estimate(other).elo)
        more = sum(k / 2 * count for k, count in enumerate(penta)) - 2 * sum(penta) * chance
        surplus[one] += more
        surplus[other] -= more
    # What is left over is the imagined draws' pull.
    assert all(abs(left) < 2 for left in surplus.values())
