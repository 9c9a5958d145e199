"""``crapette tune``: the numbers that a bot declares follow the copy that wins."""

import json
from pathlib import Path

import pytest

from kit.local import tune

DECLARED = """
name = "mine"
[tune]
care = { value = 5, low = 0, high = 10, step = 5 }
"""
BOT = """
import json, pathlib
from crapette import Answer, run
file = pathlib.Path(__file__).with_name("parameters.json")
care = json.loads(file.read_text())["care"] if file.exists() else 5
run(lambda turn: turn.legal[0] if care > 5 else Answer(resign=True))
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that gives up at once unless it takes care."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "crapette.toml").write_text(DECLARED)
    return folder


def test_the_values_follow_the_winner_and_are_kept(
    bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "tune.json"
    arguments = [str(bot), "--pairs", "2", "--seed", "1", "--unsandboxed", "--save", str(saved)]
    assert tune.main([*arguments, "--write"]) == 0
    assert "After 2 pairs" in capsys.readouterr().out
    value = json.loads((bot / "parameters.json").read_text())["care"]
    assert 5 < value <= 10
    # It goes on with more pairs, some of them at the same time; the same pairs give the same values.
    assert tune.main([*arguments[:1], "--pairs", "6", "--jobs", "4", *arguments[3:], "--json"]) == 0
    more = json.loads(capsys.readouterr().out)
    assert more["pairs"] == 6
    assert more["values"]["care"] >= value
    saved.unlink()
    assert tune.main(arguments) == 0
