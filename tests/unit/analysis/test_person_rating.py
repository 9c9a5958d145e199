"""People's ratings on the scale of bots: true, with honest intervals, and not to be farmed."""

import numpy as np
import pytest

from analysis.person_rating import FARTHEST, PersonEstimate, PersonGame, person_estimate, without_luck
from analysis.ratings.elo import SCALE

BOTS = ((1100.0, 25.0), (1500.0, 5.0), (1900.0, 20.0), (2000.0, 60.0))
"""Opponents: what is believed of their ratings, with standard errors."""
TRIALS = 200


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


def test_the_interval_covers_the_truth_about_95_times_in_100() -> None:
    rng, inside = np.random.default_rng(1950), 0
    for _ in range(TRIALS):
        found = person_estimate(played(1950, 30, rng, 0.4))
        inside += (found.low or -np.inf) <= 1950 <= (found.high or np.inf)
    # Of 200 trials at 95 %, fewer than 180 happen once in 500 times, and luck errs on the wide side.
    assert inside / TRIALS >= 0.9


def width(found: PersonEstimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


@pytest.mark.parametrize("games", [1, 20, 5000])
def test_nothing_but_wins_or_losses_gives_one_bound_that_farming_does_not_move(games: int) -> None:
    won, lost = (person_estimate([PersonGame(1500, 0, score)] * games) for score in (1.0, 0.0))
    assert won.high is lost.low is None
    assert won.low is not None
    assert lost.high is not None
    assert won.low < 1500 + FARTHEST + 10
    assert lost.high > 1500 - FARTHEST - 10
    assert np.isfinite(won.elo)


def test_known_luck_is_taken_out_and_narrows_the_interval() -> None:
    games = played(1700, 200, np.random.default_rng(5), 0.7)
    with_luck = person_estimate(games)
    without = person_estimate([PersonGame(one.elo, one.error, one.score) for one in games])
    assert with_luck.spread < 0.85
    assert without.spread == 1
    assert width(with_luck) < width(without)
    # The share that is taken away follows from earlier games alone.
    changed = [*games[:-1], PersonGame(1500, 5, 0.0, -0.9)]
    assert list(without_luck(games)[:-1]) == list(without_luck(changed)[:-1])
