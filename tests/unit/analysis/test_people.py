"""People's ratings on the scale of bots: true, with honest intervals, and not to be farmed."""

import numpy as np
import pytest

from analysis.people import FARTHEST, PersonGame, person_estimate, without_luck
from analysis.ratings.elo import SCALE

BOTS = ((1100.0, 25.0), (1500.0, 5.0), (1900.0, 20.0), (2000.0, 60.0))
"""Opponents: what is believed of their ratings, with standard errors."""
TRIALS = 300


def played(truth: float, games: int, rng: np.random.Generator, share: float | None) -> list[PersonGame]:
    """Games of a person of that strength; `share` of the result is luck that is known, with noise."""
    really = [elo + error * rng.normal() for elo, error in BOTS]
    found = []
    for bot in rng.integers(len(BOTS), size=games):
        chance = 1 / (1 + np.exp(-(truth - really[bot]) / SCALE))
        score = float(rng.random() < chance)
        luck = None if share is None else share * (score - chance) + 0.3 * rng.normal()
        found.append(PersonGame(*BOTS[bot], score, luck))
    return found


@pytest.mark.parametrize(("truth", "share"), [(1250, None), (1950, 0.4)])
def test_the_interval_covers_the_truth_about_95_times_in_100(truth: int, share: float | None) -> None:
    rng = np.random.default_rng(truth)
    inside = 0
    for _ in range(TRIALS):
        found = person_estimate(played(truth, 30, rng, share))
        inside += (found.low or -np.inf) <= truth <= (found.high or np.inf)
    # Of 300 trials at 95 %, fewer than 273 happen once in 500 times, and luck errs on the wide side.
    assert inside / TRIALS >= 0.91


def test_a_person_who_plays_like_a_bot_is_rated_like_it() -> None:
    games = [PersonGame(1700, 0, score) for score in (0.0, 1.0)] * 100
    found = person_estimate(games)
    assert found.elo == pytest.approx(1700, abs=5)
    assert found.low is not None
    assert found.high is not None
    # The standard error of 200 even games is 400 / ln 10 / (200 / 4)^½ = 24.6.
    assert found.high - found.low == pytest.approx(2 * 1.96 * 24.6, rel=0.05)


@pytest.mark.parametrize("games", [1, 20, 5000])
def test_nothing_but_wins_gives_a_lower_bound_that_farming_does_not_raise(games: int) -> None:
    found = person_estimate([PersonGame(1500, 0, 1.0)] * games)
    assert found.low is not None
    assert found.low < 1500 + FARTHEST + 10
    assert found.high is None
    assert np.isfinite(found.elo)


def test_nothing_but_losses_gives_an_upper_bound() -> None:
    found = person_estimate([PersonGame(1500, 0, 0.0)] * 20)
    assert found.low is None
    assert found.high is not None
    assert 1500 - FARTHEST < found.high < 1400


def test_wins_against_a_weak_bot_do_not_outweigh_losses_against_a_strong_one() -> None:
    strong = [PersonGame(2000, 10, score) for score in (0.0, 0.0, 0.0, 1.0)] * 10
    honest = person_estimate(strong)
    farmed = person_estimate([*strong, *[PersonGame(1100, 10, 1.0)] * 3000])
    assert abs(farmed.elo - honest.elo) < 25


def test_what_is_not_known_of_the_bots_widens_the_interval() -> None:
    def width(error: float) -> float:
        found = person_estimate([PersonGame(1700, error, score) for score in (0.0, 1.0)] * 50)
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    sure, unsure = width(0), width(100)
    assert unsure == pytest.approx((sure**2 + (2 * 1.96 * 100) ** 2) ** 0.5, rel=0.1)


def test_known_luck_is_taken_out_and_narrows_the_interval() -> None:
    rng = np.random.default_rng(5)
    games = played(1700, 200, rng, 0.7)
    blind = [PersonGame(one.elo, one.error, one.score) for one in games]
    with_luck, without = person_estimate(games), person_estimate(blind)
    assert with_luck.spread < 0.85
    assert without.spread == 1
    assert (with_luck.high or 0) - (with_luck.low or 0) < (without.high or 0) - (without.low or 0)


def test_the_share_of_luck_that_is_taken_away_follows_from_earlier_games_alone() -> None:
    games = played(1700, 40, np.random.default_rng(6), 0.7)
    changed = [*games[:-1], PersonGame(1500, 5, 0.0, -0.9)]
    assert list(without_luck(games)[:-1]) == list(without_luck(changed)[:-1])


def test_without_games_there_is_no_rating() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        person_estimate([])
