"""``crapette rerun``: a lost position is put to the bot again, told as the arena told it."""

import json
from pathlib import Path
from typing import Any

import pytest

from kit.local import play, rerun

pytestmark = pytest.mark.usefixtures("arena")
BOT = """
import sys
from crapette import run

asked = 0

def choose(turn):
    global asked
    asked += 1
    if asked > {good}:
        print("about to go wrong", asked)
        {wrong}
    turn.tracker()  # fails unless everything was told
    return turn.legal[0]

run(choose, tick=lambda turn: "s1-s2" if turn.tick > 20 else turn.legal[0])
"""
WRONG = {"illegal-move": "return 't9-f'", "crash": "sys.exit(3)"}


def bot(folder: Path, wrong: str, good: int = 25) -> str:
    """A bot that goes wrong when it is asked once more than `good` times."""
    path = folder / f"{wrong}{good}.py"
    path.write_text(BOT.format(good=good, wrong=WRONG[wrong]))
    return str(path)


def lost(folder: Path, name: str, variant: str = "crapaud") -> str:
    games = ["--pairs", "1", "--seed", "3", "--replays", str(folder / variant), "--unsandboxed"]
    assert play.main([name, "greedy", "--variant", variant, *games]) == 0
    return str(folder / variant / "0001-1.json")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = rerun.main([*arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, found


@pytest.mark.parametrize("wrong", ["illegal-move", "crash"])
def test_a_bot_loses_again_and_gets_past_once_it_is_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    name = bot(tmp_path, wrong)
    game = lost(tmp_path, name)
    where = [] if wrong == "illegal-move" else ["--unsandboxed"]
    status, found = told(capsys, game, name, *where)
    assert (status, found["then"]["termination"], found["now"]["termination"]) == (1, wrong, wrong)
    # The bot counts its questions, so it was asked as often as then, and saw the same.
    assert (found["questions"], found["otherwise"]) == (26, [])
    assert "about to go wrong 26" in found["evidence"]["stderr"]
    mended = bot(tmp_path, wrong, 1000)
    status, found = told(capsys, game, mended, *where)
    assert (status, found["now"], found["otherwise"]) == (0, None, [])
    assert found["last"]["answer"] == found["last"]["legal"][:1]


def test_another_bot_is_asked_in_any_position_of_the_game_also_of_one_in_ticks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = bot(tmp_path, "illegal-move")
    game = lost(tmp_path, name)
    status, found = told(capsys, game, "greedy", "--unsandboxed")
    assert (status, bool(found["otherwise"])) == (0, True)
    status, found = told(capsys, game, "greedy", "--ply", "40", "--unsandboxed")
    assert (status, found["last"]["ply"]) == (0, 40)
    game = lost(tmp_path, name, "vitesse")
    status, found = told(capsys, game, name, "--unsandboxed")
    assert (status, found["now"]["termination"], found["last"]["ply"]) == (1, "illegal-move", 21)
