"""Learning a value function from games."""

import numpy as np
import pytest

from analysis.training.value_network import (
    TRACE,
    Lessons,
    returns,
)
from analysis.values.function import Network


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
