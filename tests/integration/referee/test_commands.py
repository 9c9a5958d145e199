"""``./crapette play`` and ``./crapette check-bot`` with real bots."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from analysis import verifiable_bundle
from kit.local import check_bot, play, play_progress
from kit.local import record as records
from kit.local.series import seed_of
from kit.verify import __main__ as verify
from kit.verify.verifier import ALONE

pytestmark = pytest.mark.usefixtures("arena")
BOTS = Path(__file__).parent / "bots"
RESIGNER = str(BOTS / "resigner.py")
SEED = "5" * 64


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `play` says in one line of arguments that it refuses."""
    capsys.readouterr()
    assert play.main([*arguments]) == 2
    said = capsys.readouterr().err
    assert (said[:15], said.count("\n")) == ("crapette play: ", 1)
    return said[15:-1]


def test_play_writes_every_game_says_who_is_better_and_never_overwrites_earlier_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_progress, "FIRST_LINE_S", 0.01)
    results, replays = tmp_path / "results.json", tmp_path / "replays"
    results.touch()  # an empty file loses nothing
    arguments = ["random", RESIGNER, "--pairs", "2", "--jobs", "2", "--seed", SEED]
    kept = ["--json", str(results), "--replays", str(replays)]
    assert play.main([*arguments, *kept]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^\d of 4 after 0 s: random \+\d =0 -0 resigner", said, re.MULTILINE)
    for words in ("random is ahead of resigner", "Ended by: resignation 4", "resigner: Seat 1 resigned."):
        assert words in said

    written = read(results)
    assert written["match"]["seed"] == SEED
    games = written["games"]
    assert [game["game"] for game in games] == ["0001-1", "0001-2", "0002-1", "0002-2"]
    assert [game["seats"] for game in games[:2]] == [["random", "resigner"], ["resigner", "random"]]
    assert games[0]["seed"] == games[1]["seed"] != games[2]["seed"]
    assert games[0]["suits"] == "SHDC" != games[1]["suits"]
    for game in games:
        assert (game["outcome"], game["termination"]) == ("random", "resignation")
        assert game["evidence"][game["seat"]]["messages"]
    assert verify.main([str(replays / "0001-2.json")]) == 0
    assert capsys.readouterr().out == f"Verified game 0001-2: deal, 0 moves, result and chain.\n{ALONE}\n"
    record = read(replays / "0001-2.json")
    assert record["start"] == str(engine.deal("crapaud", games[1]["seed"]).relabelled(games[1]["suits"]))
    assert [seat["bot"] for seat in record["seats"]] == ["resigner", "random"]
    for option, file in (("--json", results), ("--replays", replays)):
        said = refused(capsys, *arguments, option, str(file))
        assert said.startswith(f"{str(file)!r} ")
        assert "--resume" in said
    assert read(results) == written
    assert play.main([*arguments, *kept, "--resume"]) == 0


def test_a_changed_replay_is_distinguished_from_an_unchanged_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever changed it has made its digests anew, but could not make its moves."""
    words = ["random", "random", "--pairs", "1", "--seed", SEED, "--unsandboxed"]
    assert play.main([*words, "--replays", str(tmp_path)]) == 0
    changes: list[tuple[Callable[[Any], object], str]] = [
        (lambda one: one["events"][3].update(ms=one["events"][3]["ms"] + 1), "event 3: link: the chain"),
        (lambda one: one["proof"].update(seed="0" * 64), "proof.deal_seed: expected "),
        (lambda one: one["result"].update(ranking=[[0], [1]], points=[9, 0]), "result.points: expected"),
        (lambda one: one.pop("links"), "links: is missing"),
    ]
    for change, said in changes:
        made = read(tmp_path / "0001-1.json")
        del made["digests"]
        made["result"] |= {"ranking": [[1], [0]]}
        change(made)
        forged = tmp_path / "forged.json"
        forged.write_bytes(records.text(verifiable_bundle.add_digests(made)))
        capsys.readouterr()
        assert verify.main([str(forged)]) == 1
        assert said in capsys.readouterr().out


HOSTILE = r"""
import json
import sys

sys.stderr.write("\x1b]0;owned\x07\x1b[2J\u202e\n\u2713 hostile is ready to play.\n")
json.loads(input())
print(json.dumps({"type": "ready", "name": "\x1b[31mred\n[bold]"}), flush=True)
question = json.loads(input())
print(json.dumps({"id": question["id"], "moves": ["\x1b[2J\n\x9b31m"]}), flush=True)
"""


def test_nothing_that_a_bot_says_acts_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name, the name of its file, its moves, its standard error."""
    bot = tmp_path / "[red]\x1b[31m\u202e:smile:.py"
    bot.write_text(HOSTILE)
    shown = "[red]\\x1b[31m\\u202e:smile:"
    assert check_bot.main([str(bot), "--variant", "crapaud"]) == 1
    said = capsys.readouterr()
    assert "  │ \\x1b]0;owned\\x07\\x1b[2J\\u202e\n  │ ✓ hostile is ready to play.\n" in said.out
    assert f"{shown} would lose its games because of this.\n" in said.out
    assert play.main([str(bot), "random", "--pairs", "1", "--seed", SEED]) == 0
    said = capsys.readouterr()
    assert f"random is ahead of {shown}" in said.out
    assert set(re.findall(r"[^\x20-\x7e─-╿✓✗–±…½]", said.out)) <= {"\n"}
    assert check_bot.main([str(tmp_path / "\x1b[31m.py")]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_resume_continues_and_plays_nothing_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.json"
    arguments = ["random", RESIGNER, "--unsandboxed", "--json", str(results)]
    assert play.main([*arguments, "--pairs", "1", "--seed", "a word"]) == 0
    first = read(results)["games"]
    assert read(results)["match"]["seed"] == seed_of("a word")
    assert play.main([*arguments, "--pairs", "2", "--resume"]) == 0
    games = read(results)["games"]
    assert (games[:2], len(games)) == (first, 4)
    said = refused(capsys, *arguments, "--pairs", "2", "--resume", "--variant", "crapo")
    assert str(results) in said
    assert "the same variant: 'crapaud', got 'crapo'." in said


def test_a_match_is_played_to_its_points_and_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "match.json"
    arguments = ["random", RESIGNER, "--variant", "crapette", "--to", "40", "--seed", SEED]
    arguments += ["--json", str(results), "--jobs", "2", "--unsandboxed"]
    assert play.main(arguments) == 0
    whole = read(results)
    sheet, games = whole["sheet"], whole["games"]
    # Who resigns at once has 48 cards, so each game brings the other 24 points for half of them.
    assert (sheet["points"], sheet["winner"]) == ({"random": 48, "resigner": 0}, "random")
    assert sheet["lines"][1]["parts"]["random"] == [{"name": "half", "count": 48, "points": 24}]
    assert "random won the match to 40 points: 48 to 0 after 1 deal." in capsys.readouterr().out
    results.write_text(json.dumps({**whole, "games": games[:1]}))
    assert play.main([*arguments, "--resume"]) == 0
    assert read(results)["sheet"] == sheet
    said = refused(capsys, "random", RESIGNER, "--variant", "vitesse", "--to", "40")
    assert said == "a match in this game goes to 250 or 500 or 1000 points"
