"""What a game's end is worth."""

import pytest

from analysis.formats.circle import rotations
from analysis.formats.outcomes import Leg, pair_outcome
from analysis.scores import half_points, margins


def test_half_points_are_scored_against_each_other_seat() -> None:
    assert [half_points([[1], [0]], seat) for seat in (0, 1)] == [0, 2]
    assert [half_points([[0, 1]], seat) for seat in (0, 1)] == [1, 1]
    assert [half_points([[2], [0, 3], [1]], seat) for seat in range(4)] == [3, 0, 6, 3]
    with pytest.raises(ValueError, match=r"expected a ranking with seat 2, got \[\[0\], \[1\]\]"):
        half_points([[0], [1]], 2)


def test_the_margin_is_in_cards_left_unless_the_game_has_points() -> None:
    assert margins([0, 0], [0, 17]) == (17.0, -17.0)
    assert margins([32, 6], [0, 26]) == (26.0, -26.0)
    assert margins([0, 0, 0], [0, 6, 12]) == (9.0, 0.0, -9.0), "over the mean of the others"
    # A forfeit counts as if the other had gone out at that moment.
    assert margins([0, 0], [30, 12], culprit=1) == (12.0, -12.0)
    assert margins([3, 0], [30, 13], culprit=1) == (16.0, -16.0)


def test_a_pair_adds_up_its_legs_for_the_first_entrant_through_the_rotation() -> None:
    assert rotations("ab") == [("a", "b"), ("b", "a")]
    assert rotations("abc") == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    won_both = pair_outcome([Leg(0, [[0], [1]], [0, 0], [0, 5]), Leg(1, [[1], [0]], [0, 0], [11, 0])])
    assert (won_both.wins, won_both.draws, won_both.losses, won_both.score, won_both.margin) == (
        2,
        0,
        0,
        4,
        8.0,
    )
    halved = pair_outcome([Leg(0, [[0], [1]], [0, 0], [0, 9]), Leg(1, [[0], [1]], [0, 0], [0, 5])])
    assert (halved.wins, halved.draws, halved.losses, halved.score, halved.margin) == (1, 0, 1, 2, 2.0)
    legs = [Leg(leg, [[-leg % 3], [(1 - leg) % 3], [(2 - leg) % 3]], [0] * 3, [0, 0, 0]) for leg in range(3)]
    outcome = pair_outcome(legs)
    assert (outcome.games, outcome.wins, outcome.score) == (3, 3, 12)
