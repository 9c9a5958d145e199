"""The table of ``./crapette bench levels``."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from bots.house import HOUSE_BOTS, LEVELS
from tests.site import ROOT
from tools.bench.levels_bench import BOT, HEADING, MEETINGS, PART, PLAYERS, LevelBoard, LevelPair
from tools.bench.search_bench import README


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_everyone_meets_somebody_and_only_the_bot_with_levels_has_any() -> None:
    assert {player for meeting in MEETINGS for player in meeting} == {*PLAYERS}
    assert len({frozenset(meeting) for meeting in MEETINGS}) == len(MEETINGS)
    assert HOUSE_BOTS[BOT].levels == LEVELS


def test_levels_are_rated_with_greedy_at_1500_also_by_way_of_others() -> None:
    board = LevelBoard("crapo")
    for half_points, times in ((4, 1), (2, 8), (0, 1)):
        for _ in range(times):
            board.take(("4", "greedy"), LevelPair(half_points, (0.5, 9.0), (50, 50)))
    for _ in range(20):
        board.take(("4", "3"), LevelPair(3, (0.5, 0.1), (50, 50)))
    third, fourth = map(cells, board.rows().splitlines())
    assert (third[:3], fourth[:3]) == (["`crapo`", "3", str(LEVELS[2])], ["", "4", str(LEVELS[3])])
    assert fourth[3] == "1500"
    assert 1250 < int(third[3]) < 1350
    low, high = map(int, third[4].split(" – "))
    assert low < int(third[3]) < high
    assert (third[5:], fourth[5:]) == (["20", "2.0"], ["30", "10.0"])


def test_a_level_that_has_not_played_has_no_line() -> None:
    assert LevelBoard("crapo", {("planner", "greedy"): Counter({2: 3})}).rows() == ""


def test_the_readme_has_room_for_the_table() -> None:
    assert PART.search(README.read_text(encoding="utf-8"))


def test_it_plays_the_meetings_of_a_level() -> None:
    words = ["--pairs", "1", "--variant", "vitesse", "--level", "2"]
    command = [sys.executable, "-m", "tools.bench.levels_bench", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(HEADING)
    played = {row[1]: row[5] for row in map(cells, done.stdout.splitlines()[2:])}
    assert played == {"1": "1", "2": "4", "3": "1"}
