"""``crapette play --deal``: the deal of a finished game, played again."""

import json
from pathlib import Path
from typing import Any

import pytest

from kit.local import play
from kit.verify import __main__ as verify

BOT = "from crapette import run\nrun(lambda turn: turn.legal[0], tick=lambda turn: turn.legal[0])\n"


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """A bot that always does the same."""
    path = tmp_path / "first.py"
    path.write_text(BOT)
    return str(path)


def record(folder: Path, name: str = "0001-1") -> Any:
    return json.loads((folder / f"{name}.json").read_text())


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_the_same_bots_play_the_same_game_again_and_then_from_the_other_seat(
    tmp_path: Path, bot: str, capsys: pytest.CaptureFixture[str], variant: str
) -> None:
    once, again = tmp_path / "once", tmp_path / "again"
    bots = [bot, "greedy", "--unsandboxed"]
    assert play.main([*bots, "--variant", variant, "--pairs", "1", "--replays", str(once)]) == 0
    source = str(once / "0001-1.json")
    capsys.readouterr()
    assert play.main([*bots, "--deal", source, "--replays", str(again), "--json", "-"]) == 0
    said = capsys.readouterr()
    assert "The deal is that of 0001-1. There: first – greedy: " in said.err
    document = json.loads(said.out)
    assert (document["match"]["variant"], len(document["games"])) == (variant, 2)
    before, after, other = record(once), record(again), record(again, "0001-2")
    assert after["start"] == before["start"] == document["match"]["deal"]
    moves = [[event.get("move", event.get("actions")) for event in one["events"]] for one in (before, after)]
    assert moves[0] == moves[1]
    assert [seat["bot"] for seat in other["seats"]] == ["greedy", "first"]
    assert other["start"] != after["start"]
    assert verify.main([str(again / "0001-2.json")]) == 0
    assert "on the deal of another game" in capsys.readouterr().out
    after["proof"]["deal_seed"] = "0" * 64
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(after))
    assert verify.main([str(changed)]) != 0
