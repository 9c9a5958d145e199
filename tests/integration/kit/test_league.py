"""``crapette league``: many bots, one table, rated as on the site."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from analysis.ratings import elo, profile
from analysis.ratings.match_arrays import Match
from kit.local import league, play, record

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
    low, high = profile.ends(fit, matches)[1]
    assert rows["one"]["high"] == pytest.approx(high, abs=0.1)
    assert rows["one"]["low"] == pytest.approx(low, abs=0.1)


def test_ctrl_c_keeps_the_games_and_the_same_command_goes_on(
    bots: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bots = [bots[1], bots[2], bots[1]]
    taken = record.as_played

    def interrupted(*arguments: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return taken(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(league, "as_played", interrupted)
        assert league.main([*bots, "--pairs", "2", "--unsandboxed", "--jobs", "1"]) == 130
    assert "--save league.json" in capsys.readouterr().out
    before = json.loads((tmp_path / "league.json").read_text())
    assert 0 < len(before["games"]) < 12
    arguments = [*bots, "--pairs", "2", "--unsandboxed", "--save", "league.json"]
    assert league.main(arguments) == 0
    assert "one #2" in capsys.readouterr().out
    after = json.loads((tmp_path / "league.json").read_text())
    assert len(after["games"]) == 12
    assert after["league"] == before["league"]
    assert league.main([*arguments, "--clock", "5"]) == 2
    assert "the same clock: 60+0.5, got 5+0" in capsys.readouterr().err


def test_a_league_takes_one_more_bot_and_plays_only_what_is_missing(
    bots: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = str(tmp_path / "league.json")
    arguments = ["--pairs", "1", "--save", saved]
    table(capsys, *bots, *arguments)
    before = json.loads(Path(saved).read_text())
    (tmp_path / "three.py").write_text((tmp_path / "one.py").read_text())
    # Named in another order, and without one of those before.
    status, rows = table(capsys, str(tmp_path / "three.py"), bots[2], bots[0], *arguments)
    assert status == 0
    assert set(rows) == {"greedy", "two", "three"}
    assert {row["games"] for row in rows.values()} == {4}
    after = json.loads(Path(saved).read_text())
    assert [one for one in after["games"] if one in before["games"]] == before["games"]
    assert len(after["games"]) == len(before["games"]) + 4
    assert [name for name, _ in after["league"]["bots"]] == ["greedy", "one", "two", "three"]


def test_a_board_with_three_seats_is_rated_by_finishing_orders(
    bots: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, rows = table(capsys, *bots, "--variant", "crapette/3", "--pairs", "1")
    assert (status, {row["games"] for row in rows.values()}) == (0, {3})
    assert rows["greedy"]["elo"] == 1500
    assert all(rows[name]["elo"] < 1500 for name in ("one", "two"))
    for refused in (["--variant", "crapette/3", "--players", "2"], ["--players", "3"]):
        assert league.main([*bots, *refused, "--unsandboxed"]) == 2
    assert league.main([*bots[:2], "--unsandboxed"]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert play.main([*bots[:2], "--variant", "crapette/3", "--unsandboxed"]) == 2
    assert play.main([*bots, "--variant", "crapette/3", "--pairs", "1", "--unsandboxed"]) == 0
