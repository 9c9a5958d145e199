"""The verdicts on two bots where pairs are all alike."""

import pytest

from tournaments.ratings.verdicts import CountedPair, judge


def level(number: int) -> CountedPair:
    """A pair of two that play alike."""
    return CountedPair(number, 2, 0.0, (0.0, 0.0))


WON = CountedPair(1_000, 4, 8.0, (0.1, 2.0))


@pytest.mark.parametrize("unlike", [0, 1, 2])
def test_level_pairs_leave_every_interval_open_to_both_sides(unlike: int) -> None:
    found = judge([*map(level, range(40)), *[WON] * unlike])
    assert found.wins is not None
    assert found.margins is not None
    assert found.fair_wins is not None
    assert found.fair_margins is not None
    ends = [
        (found.wins.low - 0.5, found.wins.high - 0.5),
        (found.fair_low - 0.5, found.fair_high - 0.5),
        (found.margins.low, found.margins.high),
        (found.fair_margins.low, found.fair_margins.high),
        (found.elo.low, found.elo.high),
    ]
    assert all(low < -0.02 and high > 0.02 for low, high in ends)
    assert found.better == found.margins.better == found.fair_wins.better == found.fair_margins.better == 0


def test_pairs_that_are_all_won_alike_are_a_lead_of_unknown_size() -> None:
    found = judge([WON] * 40)
    assert (found.better, found.elo.words) == (1, "+763 (above +508) Elo")
    assert found.fair_wins is not None
    assert 0.5 < found.fair_low < found.fair_score < found.fair_high
