"""Learning a value function from games."""

import numpy as np
import pytest

import engine
from analysis.training.value_network import (
    TRACE,
    Lessons,
    lesson_seed,
    lessons,
    returns,
)
from analysis.values.function import Network


def made(rows: int, seed: int = 1) -> Lessons:
    """Lessons of one row a game, whose result and margin follow from two of three inputs."""
    inputs = np.random.default_rng(seed).normal(0, 1, (rows, 3))
    result = np.tanh(inputs[:, 0])
    targets = np.stack([result, 20 * result + 5 * inputs[:, 1]], axis=1)
    return Lessons(inputs, targets, np.arange(rows), np.ones(rows))


def constant(value: float) -> Network:
    """A network that gives the same result and margin for every position."""
    nothing = np.zeros((1, 2))
    return Network(np.zeros((1, 1)), np.zeros(1), nothing, np.full(2, value), 1.0)


def test_what_follows_counts_most_and_never_across_the_end_of_a_game() -> None:
    # Two games of two rows each; in the second row of a game the other seat is to move.
    targets = np.array([[1.0, 10.0], [-1.0, -10.0], [-1.0, -4.0], [1.0, 4.0]])
    found = Lessons(np.zeros((4, 1)), targets, np.array([0, 0, 1, 1]), np.array([1.0, -1.0, 1.0, -1.0]))
    wanted = returns(found, constant(0.5))
    # For seat 0 the network says that the second row of each game is worth -0.5.
    assert wanted[:, 0] == pytest.approx([TRACE - 0.5 * (1 - TRACE), -1, -TRACE - 0.5 * (1 - TRACE), 1])
    assert wanted[1].tolist() == [-1, -10]
    assert wanted[3].tolist() == [1, 4]


def test_lessons_begin_with_the_deal_and_see_each_game_from_the_seat_to_move() -> None:
    found, games = lessons(engine.variant("crapaud"), 2)
    assert set(found.games) == {0, 1}
    assert set(found.signs) == {-1.0, 1.0}
    for number, (start, game) in enumerate(games):
        assert start == engine.TurnPosition.deal("crapaud", lesson_seed("crapaud", number))
        rows = found.games == number
        ends = found.targets[rows] * found.signs[rows][:, None]
        assert (ends == [game.result, game.margin]).all()
        assert rows.sum() > 20, "cards are turned up all the time"
    one = found.only(found.games == 1)
    assert len(one.inputs) == len(one.targets) == len(one.signs) == (found.games == 1).sum()
