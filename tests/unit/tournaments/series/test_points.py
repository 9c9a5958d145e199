"""Points for places, the table over events, and when a leader cannot be caught."""

import pytest

from tournaments.series.points import (
    GRAND_PRIX,
    SHARE,
    Finish,
    Score,
    cannot_be_caught,
    running_points,
    scores,
    series_table,
)


def finish(bot: int, place: int, sharing: int = 1, share: float = 0.5) -> Finish:
    return Finish(bot, place, sharing, share)


def test_the_first_places_are_worth_what_is_listed_and_the_others_nothing() -> None:
    got = scores("grand-prix", GRAND_PRIX, [finish(7, 1), finish(8, 2), finish(9, 11)])
    assert {bot: one.points for bot, one in got.items()} == {7: 12, 8: 10, 9: 0}
    assert got[9].place == 11


def test_bots_that_share_places_share_their_points() -> None:
    got = scores("listed", (10, 6, 2), [finish(1, 1), finish(2, 2, 2), finish(3, 2, 2), finish(4, 4)])
    assert [got[bot].points for bot in (1, 2, 3, 4)] == [10, 4, 4, 0]
    last = scores("listed", (10, 5), [finish(bot, 2, 3) for bot in (1, 2, 3)])
    assert {one.points for one in last.values()} == {1.67}


def test_shares_are_out_of_a_hundred() -> None:
    assert scores(SHARE, (), [finish(1, 1, share=0.6666)])[1].points == 66.7


def test_of_several_versions_of_a_bot_the_best_one_counts_once() -> None:
    got = scores("grand-prix", GRAND_PRIX, [finish(1, 3), finish(1, 1), finish(2, 2)])
    assert got == {1: Score(1, 12), 2: Score(2, 10)}


def events(*points: dict[int, tuple[int, float]]) -> dict[int, dict[int, Score]]:
    return {
        100 + number: {bot: Score(place, worth) for bot, (place, worth) in one.items()}
        for number, one in enumerate(points)
    }


def test_the_best_results_count_and_the_others_are_marked() -> None:
    rows = series_table(events({1: (1, 12)}, {1: (3, 8)}, {1: (1, 12)}), best=2)
    assert rows[0].points == 24
    assert [rows[0].scores[event].counts for event in (100, 101, 102)] == [True, False, True]


def test_of_equal_results_the_earlier_one_counts() -> None:
    rows = series_table(events({1: (2, 10)}, {1: (2, 10)}), best=1)
    assert [rows[0].scores[event].counts for event in (100, 101)] == [True, False]


def test_ties_are_broken_by_first_places_and_then_second_ones() -> None:
    rows = series_table(events({1: (2, 10), 2: (1, 12)}, {1: (2, 10), 2: (4, 8)}), best=0)
    assert [(row.bot, row.place) for row in rows] == [(2, 1), (1, 2)]
    second = series_table(events({1: (1, 5), 2: (1, 5)}, {1: (2, 3)}, {2: (3, 3)}), best=0)
    assert [(row.bot, row.place) for row in second] == [(1, 1), (2, 2)]


def test_whoever_is_equal_in_everything_shares_a_place() -> None:
    rows = series_table(events({1: (1, 12), 2: (2, 10), 3: (3, 8)}, {1: (2, 10), 2: (1, 12)}), best=0)
    assert [row.place for row in rows] == [1, 1, 3]


@pytest.mark.parametrize(
    ("left", "best", "expected"), [(0, 0, True), (1, 0, False), (2, 0, False), (1, 1, False)]
)
def test_a_leader_cannot_be_caught_once_nobody_can_reach_their_points(
    left: int, best: int, expected: bool
) -> None:
    rows = series_table(events({1: (1, 12), 2: (2, 10)}), best=best)
    assert cannot_be_caught(rows, best, left, 12) is expected


def test_a_bot_that_has_not_played_is_a_rival_too_and_who_only_draws_level_still_catches_up() -> None:
    far = series_table(events({1: (1, 12)}, {1: (1, 12)}), best=0)
    assert cannot_be_caught(far, 0, 1, 12)
    assert not cannot_be_caught(far, 0, 2, 12)


def test_nobody_leads_alone_where_two_share_the_lead() -> None:
    rows = series_table(events({1: (1, 12), 2: (1, 12)}), best=0)
    assert not cannot_be_caught(rows, 0, 0, 12)
    assert not cannot_be_caught([], 0, 0, 12)


def test_points_grow_event_by_event_and_only_the_best_so_far_count() -> None:
    got = {101: Score(2, 6), 103: Score(1, 10), 104: Score(1, 10)}
    order = [101, 102, 103, 104]
    assert running_points(got, order, 0) == [6, 6, 16, 26]
    assert running_points(got, order, 2) == [6, 6, 16, 20]
