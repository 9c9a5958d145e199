"""Points for places, the table over events, and when a leader cannot be caught."""

import pytest

from tournaments.series.points import (
    GRAND_PRIX,
    SHARE,
    Finish,
    Score,
    cannot_be_caught,
    scores,
    series_table,
)


def finish(bot: int, place: int, sharing: int = 1, share: float = 0.5) -> Finish:
    return Finish(bot, place, sharing, share)


def test_the_first_places_are_worth_what_is_listed_and_bots_that_share_places_share_points() -> None:
    got = scores("grand-prix", GRAND_PRIX, [finish(7, 1), finish(8, 2), finish(9, 11)])
    assert {bot: one.points for bot, one in got.items()} == {7: 12, 8: 10, 9: 0}
    assert got[9].place == 11
    got = scores("listed", (10, 6, 2), [finish(1, 1), finish(2, 2, 2), finish(3, 2, 2), finish(4, 4)])
    assert [got[bot].points for bot in (1, 2, 3, 4)] == [10, 4, 4, 0]
    last = scores("listed", (10, 5), [finish(bot, 2, 3) for bot in (1, 2, 3)])
    assert {one.points for one in last.values()} == {1.67}
    assert scores(SHARE, (), [finish(1, 1, share=0.6666)])[1].points == 66.7
    # Of several versions of a bot the best one counts, once.
    got = scores("grand-prix", GRAND_PRIX, [finish(1, 3), finish(1, 1), finish(2, 2)])
    assert got == {1: Score(1, 12), 2: Score(2, 10)}


def events(*points: dict[int, tuple[int, float]]) -> dict[int, dict[int, Score]]:
    return {
        100 + number: {bot: Score(place, worth) for bot, (place, worth) in one.items()}
        for number, one in enumerate(points)
    }


def test_ties_are_broken_by_first_places_and_then_second_ones_or_shared() -> None:
    rows = series_table(events({1: (2, 10), 2: (1, 12)}, {1: (2, 10), 2: (4, 8)}), best=0)
    assert [(row.bot, row.place) for row in rows] == [(2, 1), (1, 2)]
    second = series_table(events({1: (1, 5), 2: (1, 5)}, {1: (2, 3)}, {2: (3, 3)}), best=0)
    assert [(row.bot, row.place) for row in second] == [(1, 1), (2, 2)]
    rows = series_table(events({1: (1, 12), 2: (2, 10), 3: (3, 8)}, {1: (2, 10), 2: (1, 12)}), best=0)
    assert [row.place for row in rows] == [1, 1, 3]


@pytest.mark.parametrize(
    ("results", "best", "left", "expected"),
    [
        ([{1: (1, 12), 2: (2, 10)}], 0, 0, True),
        ([{1: (1, 12), 2: (2, 10)}], 0, 1, False),
        ([{1: (1, 12), 2: (2, 10)}], 0, 2, False),
        ([{1: (1, 12), 2: (2, 10)}], 1, 1, False),
        # A bot that has not played is a rival too, and who only draws level still catches up.
        ([{1: (1, 12)}, {1: (1, 12)}], 0, 1, True),
        ([{1: (1, 12)}, {1: (1, 12)}], 0, 2, False),
        # Nobody leads alone where two share the lead.
        ([{1: (1, 12), 2: (1, 12)}], 0, 0, False),
        ([], 0, 0, False),
    ],
)
def test_a_leader_cannot_be_caught_once_nobody_can_reach_their_points(
    results: list[dict[int, tuple[int, float]]], best: int, left: int, expected: bool
) -> None:
    assert cannot_be_caught(series_table(events(*results), best=best), best, left, 12) is expected
