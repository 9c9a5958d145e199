"""Standings, tie-breaks, crosstables."""

import pytest

from analysis.formats.standings import Meeting, Row, crosstable, standings


def table(
    entrants: int, *meetings: tuple[int, int, int, int, int], byes: dict[int, float] | None = None
) -> dict[int, Row]:
    """The rows by entrant, in the order of their places."""
    rows = standings(range(1, entrants + 1), [Meeting(*one) for one in meetings], byes or {})
    return {row.entrant: row for row in rows}


def test_points_add_up_to_the_games_played() -> None:
    rows = table(3, (1, 2, 7, 3, 10), (2, 3, 4, 4, 12), (1, 3, 5, 10, 5))
    found = {key: (row.place, row.wins, row.draws, row.losses) for key, row in rows.items()}
    assert found == {3: (1, 17, 14, 9), 1: (2, 12, 13, 15), 2: (3, 14, 7, 19)}
    assert sum(row.points for row in rows.values()) == 60
    assert [row.place for row in table(3).values()] == [1, 1, 1]


def test_a_tie_is_broken_by_the_games_between_the_tied() -> None:
    rows = table(
        4,
        (1, 2, 0, 0, 2),
        (1, 3, 2, 0, 0),
        (2, 3, 0, 0, 2),
        (3, 4, 0, 2, 0),
        (1, 4, 1, 0, 1),
        (2, 4, 1, 0, 1),
    )
    assert [rows[one].points for one in (1, 2, 3, 4)] == [3, 3, 3, 3]
    assert (rows[2].head_to_head, rows[1].head_to_head) == (3, 3)
    two = table(3, (1, 2, 0, 1, 1), (1, 3, 2, 0, 0), (2, 3, 1, 0, 1)).values()
    found = [(row.place, row.entrant, row.points, row.head_to_head) for row in two]
    assert found == [(1, 2, 2.5, 1.5), (2, 1, 2.5, 0.5), (3, 3, 1, 0)]


def test_sonneborn_berger_and_buchholz_are_as_reckoned_by_hand() -> None:
    found = table(3, (1, 2, 2, 0, 0), (2, 3, 1, 1, 0), (1, 3, 0, 1, 1))
    # Points a game: 1 has 2.5/4, 2 has 1.5/4, 3 has 2/4.
    assert found[1].sonneborn_berger == pytest.approx(2 * 1.5 / 4 + 0.5 * 2 / 4)
    assert found[2].sonneborn_berger == pytest.approx(0 * 2.5 / 4 + 1.5 * 2 / 4)
    assert found[3].sonneborn_berger == pytest.approx(1.5 * 2.5 / 4 + 0.5 * 1.5 / 4)
    assert found[1].buchholz == pytest.approx(2 * 1.5 / 4 + 2 * 2 / 4)


def test_bots_that_did_not_all_meet_equally_often_are_not_compared_head_to_head() -> None:
    level = [(1, 7, 0, 2, 0), (4, 2, 0, 2, 0), (1, 3, 1, 0, 1), (7, 5, 1, 0, 1)]
    rows = table(7, *level, (4, 6, 1, 0, 1), (2, 3, 2, 0, 0), (6, 5, 2, 0, 0))
    assert [(rows[one].points, rows[one].head_to_head) for one in (1, 4, 7)] == [(2, 0)] * 3
    assert rows[4].place < rows[1].place == rows[7].place
    # Nor does it count who met whom more often.
    once = [(1, 3, 1, 0, 1), (2, 3, 1, 0, 1)]
    assert {row.head_to_head for row in table(4, (1, 2, 2, 0, 2), *once, (3, 4, 1, 0, 1)).values()} == {0}
    assert [row.head_to_head for row in table(3, (1, 2, 1, 0, 1), *once).values()] == [2, 2, 2]


def test_a_bye_costs_no_tie_break() -> None:
    met = [
        (1, 3, 0, 2, 0),
        (1, 4, 0, 2, 0),
        (2, 5, 0, 2, 0),
        (2, 6, 0, 2, 0),
        (2, 7, 0, 2, 0),
        (3, 5, 2, 0, 0),
    ]
    rows = table(7, *met, (4, 6, 2, 0, 0), (3, 7, 1, 0, 1), byes={1: 1.0})
    assert (rows[1].points, rows[2].points, rows[1].games, rows[1].possible) == (3, 3, 4, 6)
    # Opponents average 4/6 and 3/4 a game; the virtual one has 3/6, as 1 itself.
    assert rows[1].buchholz == pytest.approx(2 * 4 / 6 + 2 * 3 / 4 + 2 * 3 / 6)
    assert rows[1].sonneborn_berger == pytest.approx(4 / 6 + 3 / 4 + 3 / 6)
    assert rows[1].place < rows[2].place


def test_a_forfeit_counts_as_points_and_costs_no_tie_break() -> None:
    forfeit, margin = Meeting(4, 5, 2, 0, 0, unplayed=2), Meeting(4, 1, 1, 0, 1, margin=4.0)
    rows = {row.entrant: row for row in standings([1, 4, 5], [Meeting(1, 5, 0, 0, 2), forfeit, margin])}
    assert (rows[5].points, rows[5].rate, rows[4].points, rows[4].rate) == (2, 1, 3, 0.5)
    assert (rows[4].margin, rows[4].head_to_head, rows[4].games) == (2, 0, 4)
    assert rows[4].buchholz == pytest.approx(2 * rows[1].rate + 2 * 3 / 4)
    assert rows[4].sonneborn_berger == pytest.approx(rows[1].rate + 2 * 3 / 4)
    assert rows[1].buchholz == pytest.approx(2 * 1 + 2 * 0.5)


def test_in_a_gauntlet_places_go_by_points_per_game() -> None:
    rows = standings([9, 1, 2, 3], [Meeting(9, other, 3, 0, 7) for other in (1, 2, 3)], per_game=True)
    assert [(row.entrant, row.place, row.points) for row in rows] == [
        (1, 1, 7),
        (2, 1, 7),
        (3, 1, 7),
        (9, 4, 9),
    ]


def test_a_margin_breaks_the_last_tie_and_entrants_equal_in_everything_share_a_place() -> None:
    rows = table(3, (1, 2, 1, 0, 1), (1, 3, 2, 0, 0), (2, 3, 2, 0, 0)).values()
    assert [(row.place, row.entrant, row.tied) for row in rows] == [(1, 1, True), (1, 2, True), (3, 3, False)]
    margins = standings([1, 2], [Meeting(1, 2, 1, 0, 1, margin=-3.0)])
    assert [(row.place, row.entrant, row.margin) for row in margins] == [(1, 2, 1.5), (2, 1, -1.5)]


def test_a_crosstable_cell_sums_all_meetings_from_the_rows_view() -> None:
    one, other = Meeting(1, 2, 3, 1, 0, (0, 0, 0, 1, 1), 5.0), Meeting(2, 1, 2, 0, 0, (0, 0, 0, 0, 1), 4.0)
    cells = crosstable([one, other])
    assert cells[1, 2] == Meeting(1, 2, 3, 1, 2, (1, 0, 0, 1, 1), 1.0)
    assert cells[2, 1] == Meeting(2, 1, 2, 1, 3, (1, 1, 0, 0, 1), -1.0)
