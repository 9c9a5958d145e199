"""The table of the benchmark of the arena."""

from __future__ import annotations

import pytest

from tools.bench.arena_report import Line, Played, lines, report, summary
from tools.bench.page_times import PageTimes
from tools.bench.process_tree import Usage


def played(**changes: object) -> Played:
    """A site that met every gate."""
    found = {
        "games": 100,
        "seconds": 10.0,
        "bots_cpu": 12.0,
        "orphans_cpu": 3.0,
        "before": Usage({"analysis": 1.0, "games": 1.0, "site": 1.0}, {}),
        "after": Usage({"analysis": 2.0, "games": 14.0, "site": 3.0}, {"site": 90.0}),
        "busy": PageTimes({"/": [4.0, 6.0, 40.0]}),
        "idle": PageTimes({"/": [2.0]}),
        "second_start": 1.0,
        "waiting_for_luck": (2, 1.0),
        "sockets": {"game": 400.0},
        "waited": (3.0, 1.0),
        "measured": 50,
        "pages": 200.0,
        "first_page": 8.0,
        **changes,
    }
    return Played(**found)  # type: ignore[arg-type]


def test_bots_and_what_is_around_them_share_what_games_used() -> None:
    assert played().cpu() == {
        "bots": 12.0,
        "referee and sandbox": 4.0,
        "analysis": 1.0,
        "site": 2.0,
    }
    assert played(bots_cpu=17.0).cpu()["referee and sandbox"] == 0


@pytest.mark.parametrize(
    ("changes", "missed"),
    [
        ({}, []),
        ({"games": 50}, ["games / those of the local runner"]),
        ({"sockets": {"game": 299.0}}, ["websockets a second, game"]),
        ({"waited": (51.0, 1.0)}, ["longest wait for a writer"]),
        ({"second_start": 2.1}, ["second start"]),
        ({"first_page": 12.1}, ["first page of a first start"]),
        ({"first_page": None}, []),
        ({"pages": 149.0}, ["pages a second, idle"]),
        ({"measured": 24}, ["luck of a game / CPU of the game"]),
        ({"waiting_for_luck": (9, 301.0)}, ["luck falls behind by"]),
    ],
)
def test_a_figure_on_the_wrong_side_of_its_gate_is_named(
    changes: dict[str, object], missed: list[str]
) -> None:
    seen = played(**changes)
    table = lines(seen, local=12.0)
    assert [line.words for line in table if line.missed] == missed
    printed = report("embedded", seen, 12.0, table)
    assert ("MISSED" in printed) == bool(missed)
    assert "referee and sandbox 40 ms" in printed or "games" in changes


def test_all_sites_are_in_one_table() -> None:
    tables = {
        "embedded": [Line("games", 0.7, 0.6, 0.85, most=False), Line("second start", 1.3, 2, 1.5, " s")],
        "production": [Line("games", 0.5, 0.6, 0.85, most=False)],
    }
    assert summary(tables).splitlines() == [
        "| measure | gate | aim | embedded | production |",
        "| --- | --- | --- | --- | --- |",
        "| games | ≥ 0.6 | ≥ 0.85 | 0.70 | 0.50 (missed) |",
        "| second start | ≤ 2 s | ≤ 1.5 s | 1.30 s |  |",
    ]


def test_a_line_says_what_was_seen_its_gate_and_its_aim() -> None:
    words = str(Line("pages", 12.34, 10, 5, " ms", remark="7 pages"))
    assert words.split() == ["pages", "12.3", "ms", "≤", "10.0", "≤", "5.00", "MISSED", "7", "pages"]
