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
