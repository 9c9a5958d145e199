"""Standings, tie-breaks, crosstables."""

import pytest

from analysis.formats.standings import Meeting, crosstable, standings
from analysis.intervals import score_interval


def test_points_add_up_to_the_games_played() -> None:
    meetings = [Meeting(1, 2, 7, 3, 10), Meeting(2, 3, 4, 4, 12), Meeting(1, 3, 5, 10, 5)]
    rows = standings([1, 2, 3], meetings)
    assert sum(row.points for row in rows) == 60
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
    assert {row.entrant: (row.wins, row.draws, row.losses) for row in rows} == {
        1: (12, 13, 15),
        2: (14, 7, 19),
        3: (17, 14, 9),
    }
    assert [(row.place, row.entrant) for row in rows] == [(1, 3), (2, 1), (3, 2)]


def test_a_tie_is_broken_by_the_games_between_the_tied() -> None:
    meetings = [
        Meeting(1, 2, 0, 0, 2),
        Meeting(1, 3, 2, 0, 0),
        Meeting(2, 3, 0, 0, 2),
        Meeting(3, 4, 0, 2, 0),
    ]
    meetings += [Meeting(1, 4, 1, 0, 1), Meeting(2, 4, 1, 0, 1)]
    rows = {row.entrant: row for row in standings([1, 2, 3, 4], meetings)}
    assert {entrant: row.points for entrant, row in rows.items()} == {1: 3, 2: 3, 3: 3, 4: 3}
    assert (rows[2].head_to_head, rows[1].head_to_head) == (3, 3)
    two = standings([1, 2, 3], [Meeting(1, 2, 0, 1, 1), Meeting(1, 3, 2, 0, 0), Meeting(2, 3, 1, 0, 1)])
    assert [(row.entrant, row.points, row.head_to_head) for row in two] == [
        (2, 2.5, 1.5),
        (1, 2.5, 0.5),
        (3, 1, 0),
    ]
    assert [row.place for row in two] == [1, 2, 3]


def test_sonneborn_berger_and_buchholz_are_as_reckoned_by_hand() -> None:
    rows = standings([1, 2, 3], [Meeting(1, 2, 2, 0, 0), Meeting(2, 3, 1, 1, 0), Meeting(1, 3, 0, 1, 1)])
    found = {row.entrant: row for row in rows}
    # Points a game: 1 has 2.5/4, 2 has 1.5/4, 3 has 2/4.
    assert found[1].sonneborn_berger == pytest.approx(2 * 1.5 / 4 + 0.5 * 2 / 4)
    assert found[2].sonneborn_berger == pytest.approx(0 * 2.5 / 4 + 1.5 * 2 / 4)
    assert found[3].sonneborn_berger == pytest.approx(1.5 * 2.5 / 4 + 0.5 * 1.5 / 4)
    assert found[1].buchholz == pytest.approx(2 * 1.5 / 4 + 2 * 2 / 4)


def test_bots_that_did_not_all_meet_equally_often_are_not_compared_head_to_head() -> None:
    """1 and 7 drew their pair and 4 met neither: that says nothing about 4, whose opponents were stronger."""
    level = [Meeting(1, 7, 0, 2, 0), Meeting(4, 2, 0, 2, 0), Meeting(1, 3, 1, 0, 1), Meeting(7, 5, 1, 0, 1)]
    level += [Meeting(4, 6, 1, 0, 1), Meeting(2, 3, 2, 0, 0), Meeting(6, 5, 2, 0, 0)]
    rows = {row.entrant: row for row in standings(range(1, 8), level)}
    assert [rows[one].points for one in (1, 4, 7)] == [2, 2, 2]
    assert [rows[one].head_to_head for one in (1, 4, 7)] == [0, 0, 0]
    assert rows[4].place < rows[1].place == rows[7].place
    # Nor does it count who met whom more often.
    twice = [Meeting(1, 2, 2, 0, 2), Meeting(1, 3, 1, 0, 1), Meeting(2, 3, 1, 0, 1), Meeting(3, 4, 1, 0, 1)]
    assert {row.head_to_head for row in standings([1, 2, 3, 4], twice)} == {0}
    equally = [Meeting(1, 2, 1, 0, 1), *twice[1:3]]
    assert [row.head_to_head for row in standings([1, 2, 3], equally)] == [2, 2, 2]


def test_a_bye_costs_no_tie_break() -> None:
    """1 had a bye and met stronger opponents than 2, who played three rounds."""
    meetings = [
        Meeting(1, 3, 0, 2, 0),
        Meeting(1, 4, 0, 2, 0),
        Meeting(2, 5, 0, 2, 0),
        Meeting(2, 6, 0, 2, 0),
    ]
    meetings += [
        Meeting(2, 7, 0, 2, 0),
        Meeting(3, 5, 2, 0, 0),
        Meeting(4, 6, 2, 0, 0),
        Meeting(3, 7, 1, 0, 1),
    ]
    rows = {row.entrant: row for row in standings(range(1, 8), meetings, {1: 1.0})}
    assert (rows[1].points, rows[2].points) == (3, 3)
    assert (rows[1].games, rows[1].possible) == (4, 6)
    # Opponents average 4/6 and 3/4 a game; the virtual one has 3/6, as 1 itself.
    assert rows[1].buchholz == pytest.approx(2 * 4 / 6 + 2 * 3 / 4 + 2 * 3 / 6)
    assert rows[1].sonneborn_berger == pytest.approx(4 / 6 + 3 / 4 + 3 / 6)
    assert rows[1].place < rows[2].place


def test_a_forfeit_counts_as_points_and_costs_no_tie_break() -> None:
    """4 wins its two games by forfeit of 5, and 5 keeps what it made in games for those that met it."""
    meetings = [
        Meeting(1, 5, 0, 0, 2),
        Meeting(4, 5, 2, 0, 0, unplayed=2),
        Meeting(4, 1, 1, 0, 1, margin=4.0),
    ]
    rows = {row.entrant: row for row in standings([1, 4, 5], meetings)}
    assert (rows[5].points, rows[5].rate, rows[4].points, rows[4].rate) == (2, 1, 3, 0.5)
    assert (rows[4].margin, rows[4].head_to_head, rows[4].games) == (2, 0, 4)
    assert rows[4].buchholz == pytest.approx(2 * rows[1].rate + 2 * 3 / 4)
    assert rows[4].sonneborn_berger == pytest.approx(rows[1].rate + 2 * 3 / 4)
    assert rows[1].buchholz == pytest.approx(2 * 1 + 2 * 0.5)


def test_in_a_gauntlet_places_go_by_points_per_game() -> None:
    """The challenger loses to everybody but plays three times as many games."""
    meetings = [Meeting(9, other, 3, 0, 7) for other in (1, 2, 3)]
    rows = standings([9, 1, 2, 3], meetings, per_game=True)
    assert [(row.entrant, row.place, row.points) for row in rows] == [
        (1, 1, 7),
        (2, 1, 7),
        (3, 1, 7),
        (9, 4, 9),
    ]
    level = standings([9, 1, 2], [Meeting(9, one, 0, 2, 0) for one in (1, 2)], per_game=True)
    assert [row.place for row in level] == [1, 1, 1]


def test_entrants_equal_in_everything_share_a_place() -> None:
    rows = standings([1, 2, 3], [Meeting(1, 2, 1, 0, 1), Meeting(1, 3, 2, 0, 0), Meeting(2, 3, 2, 0, 0)])
    assert [(row.place, row.entrant, row.tied) for row in rows] == [(1, 1, True), (1, 2, True), (3, 3, False)]


def test_before_the_first_game_all_share_the_first_place() -> None:
    assert [row.place for row in standings([4, 5, 6], [])] == [1, 1, 1]


def test_a_margin_breaks_the_last_tie() -> None:
    rows = standings([1, 2], [Meeting(1, 2, 1, 0, 1, margin=-3.0)])
    assert [(row.place, row.entrant, row.margin) for row in rows] == [(1, 2, 1.5), (2, 1, -1.5)]


def test_a_crosstable_cell_sums_all_meetings_from_the_rows_view() -> None:
    cells = crosstable(
        [Meeting(1, 2, 3, 1, 0, (0, 0, 0, 1, 1), 5.0), Meeting(2, 1, 2, 0, 0, (0, 0, 0, 0, 1), 4.0)]
    )
    assert cells[1, 2] == Meeting(1, 2, 3, 1, 2, (1, 0, 0, 1, 1), 1.0)
    assert cells[2, 1] == Meeting(2, 1, 2, 1, 3, (1, 1, 0, 0, 1), -1.0)


def test_an_interval_of_all_pairs_won_is_neither_empty_nor_beyond_one() -> None:
    interval = score_interval([0, 0, 0, 0, 10])
    assert interval is not None
    assert interval.value == interval.high == 1
    assert 0.6 < interval.low < 0.85
    assert interval.excludes(0.5)


def test_an_interval_of_many_pairs_is_the_normal_one() -> None:
    interval = score_interval([2500, 0, 5000, 0, 2500])
    assert interval is not None
    half = 1.96 * (0.125 / 10_000) ** 0.5
    assert interval.low == pytest.approx(0.5 - half, abs=2e-4)
    assert interval.high == pytest.approx(0.5 + half, abs=2e-4)
    assert not interval.excludes(0.5)


def test_without_pairs_there_is_no_interval() -> None:
    assert score_interval([0, 0, 0, 0, 0]) is None
