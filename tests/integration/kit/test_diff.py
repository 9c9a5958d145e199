"""``crapette diff``: recorded positions are put to two versions."""

import json
from pathlib import Path
from typing import Any

import pytest

from kit.local import diff, play

HEAD = "from crapette import run\n"
FIRST = HEAD + "run(lambda turn: turn.legal[0], tick=lambda turn: turn.legal[0])\n"
LAST = HEAD + "run(lambda turn: turn.legal[-1], tick=lambda turn: turn.legal[-1])\n"
"""It draws rather than play a card from its reserve."""
BROKEN = HEAD + "run(lambda turn: 'h-h' if turn.ply > 30 else turn.legal[0])\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some bots."""
    bots = {"first": FIRST, "last": LAST, "broken": BROKEN, "same": FIRST + "# the same\n"}
    for name, text in bots.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def found(
    capsys: pytest.CaptureFixture[str], folder: Path, old: str, new: str, source: str
) -> tuple[int, Any]:
    bots = [name if name == "greedy" else str(folder / f"{name}.py") for name in (old, new)]
    capsys.readouterr()
    status = diff.main([*bots, "--games", source, "--unsandboxed", "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_differences_are_found_and_judged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(folder / "games")
    words = ["greedy", "greedy", "--pairs", "1", "--seed", "5", "--unsandboxed", "--replays"]
    assert play.main([*words, source]) == 0
    status, same = found(capsys, folder, "first", "same", source)
    assert (status, same["differ"], same["gain"]) == (0, 0, None)
    assert same["positions"] > 50
    _, worse = found(capsys, folder, "greedy", "last", source)
    _, better = found(capsys, folder, "last", "greedy", source)
    assert worse["differ"] == better["differ"] == worse["judged"] > 10
    assert worse["gain"] == pytest.approx(-better["gain"], abs=1e-3)
    assert worse["gain"] < 0
    assert worse["differences"][0]["old"] != worse["differences"][0]["new"]
    # A version that fails is worse.
    status, told = found(capsys, folder, "first", "broken", source)
    assert (status, told["worse"], told["failures"] > 0) == (1, True, True)
    assert any("'h-h' is not legal" in one["new_wrong"] for one in told["differences"])
    assert found(capsys, folder, "broken", "first", source)[1]["failures"] == 0
