"""``crapette play``, ``sprt`` and ``rerun`` with real bots."""

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from analysis import verifiable_bundle
from analysis.verdicts import sprt as site
from analysis.verdicts.sprt import Hypotheses
from kit.local import check_bot, play, play_progress, rerun, sprt
from kit.local import record as records
from kit.local.sequential_test import JudgedGame, SequentialTest
from kit.local.series import SeriesTally, seed_of
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


def test_a_changed_replay_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_nothing_of_a_bot_acts_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_match_is_played_to_its_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


WIDE = ["--elo1", "200", "--seed", "x", "--unsandboxed"]


def verdict(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = sprt.main([*arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, found


def test_it_stops_and_says_what_the_site_says(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    saved = tmp_path / "test.json"
    status, found = verdict(capsys, "random", RESIGNER, *WIDE, "--save", str(saved))
    assert (status, found["decision"]) == (0, "H1")
    assert 1 < found["pairs"] < 100
    said = site.judge([4] * 100, Hypotheses(0, 200))
    assert found["pairs"] == said.pairs
    assert found["measures"]["wins"]["llr"] == pytest.approx(said.llr, abs=1e-3)
    assert found["penta"] == [0, 0, 0, 0, found["pairs"]]
    assert {one["bot"] for one in found["forfeits"]} == {"resigner"}
    # `crapette play` says the same of these games.
    tally = SeriesTally(["random", "resigner"])
    for one in json.loads(saved.read_bytes())["games"]:
        tally.add(JudgedGame.from_dict(one).played)
    assert found["elo"] == play_progress.as_dict(tally)["verdict"]
    # A test that is over plays no more games.
    before = saved.read_bytes()
    again = verdict(capsys, "random", RESIGNER, "--unsandboxed", "--save", str(saved))
    assert again == (status, found)
    assert saved.read_bytes() == before
    assert verdict(capsys, RESIGNER, "random", *WIDE)[0] == 1


def test_a_test_without_enough_pairs_is_undecided_and_games_of_another_are_not_mixed_in(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "test.json"
    arguments = ["random", RESIGNER, "--pairs", "1", "--unsandboxed", "--save", str(saved)]
    assert sprt.main(arguments) == 3
    assert "likely to be undecided after 1 pair of games" in capsys.readouterr().out
    kept = saved.read_bytes()
    assert sprt.main([*arguments, "--seed", "other"]) == 2
    assert sprt.main([RESIGNER, "random", "--unsandboxed", "--save", str(saved)]) == 2
    assert capsys.readouterr().err.count(f"to continue {saved}, expected the same") == 2
    saved.write_text('{"test": {}, "games": [{}]}')
    assert sprt.main(arguments) == 2
    saved.write_bytes(kept)


def test_ctrl_c_keeps_the_games_and_the_same_command_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    added = SequentialTest.add

    def add(test: SequentialTest, game: JudgedGame) -> None:
        added(test, game)
        if len(test.games) == 3:
            signal.raise_signal(signal.SIGINT)

    arguments = ["random", RESIGNER, "--pairs", "4", "--jobs", "1", "--unsandboxed"]
    with monkeypatch.context() as patched:
        patched.setattr(SequentialTest, "add", add)
        assert sprt.main([*arguments, "--elo1", "30"]) == 130
    saved = tmp_path / "sprt-random-resigner.json"
    assert f"--save {saved.name}" in capsys.readouterr().out
    before = json.loads(saved.read_text())["games"]
    assert len(before) == 3
    assert sprt.main([*arguments, "--save", saved.name]) == 3
    assert "+30 Elo or only +0" in capsys.readouterr().out, "what was given then holds still"
    after = json.loads(saved.read_text())["games"]
    assert len(after) == 8
    assert [game for game in after if game["game"] == before[0]["game"]] == before[:1]


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
