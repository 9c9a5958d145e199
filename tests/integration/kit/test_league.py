"""``crapette league``: many bots, one table, rated as on the site."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.ratings import elo, profile_intervals
from analysis.ratings.match_arrays import Match
from kit.local import league

HEAD = "from crapette import Answer, run\n"


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Two bots that give up at once, and the two simplest of the house."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(HEAD + "run(lambda turn: Answer(resign=True))\n")
    return ["greedy", str(tmp_path / "one.py"), str(tmp_path / "two.py")]


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = league.main([*arguments, "--unsandboxed", "--json", "--seed", "1"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, {row["bot"]: row for row in found["table"]}


def test_the_table_is_that_of_the_sites_fit(bots: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, rows = table(capsys, *bots, "--pairs", "3")
    assert status == 0
    assert list(rows) == sorted(rows, key=lambda name: -rows[name]["elo"])
    assert rows["greedy"]["elo"] == 1500
    assert rows["greedy"]["against"] == {"one": 1.0, "two": 1.0}
    assert {row["games"] for row in rows.values()} == {12}
    # The same deals for all: each of the two wins from one seat of a deal and loses from the other.
    assert rows["one"]["against"]["two"] == 0.5
    won, even = (0, 0, 0, 0, 3), (0, 0, 3, 0, 0)
    matches = [Match(0, 1, won), Match(0, 2, won), Match(1, 2, even)]
    fit = elo.fit(matches, {0: elo.ANCHOR_ELO})
    assert rows["one"]["elo"] == pytest.approx(fit.estimate(1).elo, abs=0.1)
    low, high = profile_intervals.ends(fit, matches)[1]
    assert rows["one"]["high"] == pytest.approx(high, abs=0.1)
    assert rows["one"]["low"] == pytest.approx(low, abs=0.1)
