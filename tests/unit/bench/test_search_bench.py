"""The table of ``./crapette bench search``."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from tests.site import ROOT
from tools.bench.search_bench import CURVE, PART, README, Board


def test_a_row_tells_score_elo_interval_and_cost() -> None:
    board = Board("crapo", Counter({24: 3, 12: 4, 0: 1}), cpu_s=1.5, turns=30)
    row = [cell.strip() for cell in board.row().strip().strip("|").split("|")]
    assert row[0] == "`crapo`"
    assert row[1].startswith("62.5% (")
    assert row[2] == "+89"
    assert row[4:] == ["8", "50"]


def test_a_row_of_several_seats_tells_how_often_the_bot_was_first() -> None:
    row = Board("crapette/3", Counter({36: 1, 12: 2, 6: 1}), cpu_s=1.0, turns=20).row()
    cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
    assert cells[1].startswith("first in 45.8% (")
    assert cells[1].endswith("by chance 33%")
    assert cells[2:] == ["", "", "4", "50"]


def test_the_readme_has_room_for_the_tables() -> None:
    for part in (PART, CURVE):
        assert part.search(README.read_text(encoding="utf-8"))


@pytest.mark.parametrize("variant", ["crapette", "crapette/3", "vitesse"])
def test_it_plays_a_pair_within_a_little_clock(variant: str) -> None:
    words = ["--pairs", "1", "--variant", variant, "--clock-ms", "1060", "--bot", "oracle"]
    command = [sys.executable, "-m", "tools.bench.search_bench", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    (row,) = done.stdout.splitlines()[2:]
    assert row.startswith(f"| `{variant}` | ")
    assert row.split("|")[5].strip() == "1"


def test_it_plays_the_same_deals_with_more_and_less_time() -> None:
    words = ["--pairs", "1", "--variant", "crapette", "--think-ms", "1", "--think-ms", "2"]
    command = [sys.executable, "-m", "tools.bench.search_bench", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = done.stdout.splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == ["| `crapette`, 1 ms", "| `crapette`, 2 ms"]
    assert [row.split("|")[5].strip() for row in rows] == ["1", "1"]


@pytest.mark.parametrize("words", [["--variant", "vitesse"], ["--bot", "sampler"]])
def test_only_oracle_can_be_told_how_long_to_think_and_only_in_games_of_turns(words: list[str]) -> None:
    command = [sys.executable, "-m", "tools.bench.search_bench", "--think-ms", "1", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--think-ms needs --bot oracle and a game of turns" in done.stderr
