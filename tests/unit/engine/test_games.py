"""The engine's events, scores, errors and commands, and what is compiled of it."""

import doctest
import importlib
import json
import pkgutil
import subprocess
from typing import Any

import pytest

import engine
import setup
from engine import Position, TurnGame, TurnPosition
from engine.errors import HiddenCard
from engine.points.sheet import totals
from tests.property.command_line import COMMAND, Answer, run_inside, run_outside
from tests.site import ROOT

SEED = "0" * 64
LINE = b"crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD KD/QD8CTH/. 0,198,0,.,. 1,1/0/."
OVER = b"crapette 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././. KD/QD8CTH/. 0,198,0,.,. 1,2/0/0"
TICKS = b"vitesse 48 11,4/1,0/1,0/11,1 ./-,QH,-,6C/KS/2D ./TD,KH,TH,-/./. 0 1,2/."
DEAL, PERFT = (f"{command} --seed {SEED} --variant" for command in ("deal", "perft"))


def test_every_command_answers_one_line_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(words: str, text: bytes = b"") -> str:
        answer = run_inside(monkeypatch, words.split(), text)
        assert (answer.status, answer.error) == (0, "")
        return answer.out

    moves = "d-t1 d-t2 d-t3 d-t5 d-t6 d-t7 d-t8 draw t4-t1 t4-t2 t4-t3 t4-t5 t4-t6 t4-t7 t4-t8\n"
    assert (
        engine("legal", LINE + b"\n" + TICKS + b"\n" + OVER) == f"{moves}d-f stop turn wait | stop wait\n\n"
    )
    after = "crapaud 1 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././TDAD KD/QD8CTH/. 0,199,0,.,. 1,1/0/.\n"
    assert engine("apply", LINE + b"\tdraw h-d\n") == after
    assert engine("apply", TICKS + b"\tturn,stop\n").split(" ")[-1] == "1,2/1\n"
    assert engine("score", OVER) == '{"result": "win", "ranking": [[0], [1]], "points": [15, 6]}\n'
    assert engine(f"{PERFT} crapaud --depth 2") == "24\n"
    assert engine(f"{DEAL} vitesse").startswith("vitesse 0 0,0/0,0/0,0/0,0 ")
    assert engine("legal") == ""


def test_as_a_user_sees_it_lines_before_the_bad_one_are_answered_and_the_last_may_lack_its_end() -> None:
    answer = run_outside(["score"], OVER + b"\n" + LINE + b"\n" + OVER)
    assert (answer.status, answer.out.count("\n"), answer.error.split(":")[0]) == (2, 1, "line 2")
    assert run_outside(["score"], OVER) == Answer(0, answer.out, "")


def test_a_reader_who_leaves_is_left_quietly() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*COMMAND, "legal"], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stdout and process.stderr  # noqa: PT018
        process.stdin.write(LINE + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"d-t1 "), "answered before the input ends"
        process.stdout.close()
        process.stdin.write(LINE + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


CORES = [module for module in setup.PARTS if module.startswith("engine.")]


@pytest.mark.parametrize("module", CORES)
def test_every_module_beside_the_core_is_a_part_of_it_or_runs_uncompiled_only(module: str) -> None:
    folder = ROOT / "/".join(module.split(".")[:-1])
    uncompiled = {"__init__", "whole", "plain", "plain_steps"}
    assert {path.stem for path in folder.glob("*.py")} - uncompiled == set(setup.PARTS[module])


MODULES = ["engine"] + [each.name for each in pkgutil.walk_packages(engine.__path__, "engine.")]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "engine.__main__"])
def test_the_examples_of_a_module_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


PLAYING = "crapette 0 play - 2S/3S/./././././. 0,0/0,0/0,0/12,0 QHKC/./8DTH 9C/??/9D 0,0,0,.,. 0,0/./."


def game(line: str) -> TurnGame:
    return TurnGame(TurnPosition.parse(line))


def test_a_move_that_would_turn_up_an_unknown_card_is_refused() -> None:
    for known, unknown, move in (
        ("QHKC", "??KC", "r-f"),
        ("8DTH", "??TH", "draw"),
        ("8DTH", "??TH", "d-t3"),
        ("QHKC/.", "QHKC/??", "draw"),
        ("2S/3S", "??2S/3S", "t1-t2"),
    ):
        played = game(line := PLAYING.replace(known, unknown))
        assert move in played.legal_moves()
        with pytest.raises(
            HiddenCard, match=f"^expected a move that turns up no unknown card, got {move!r}$"
        ):
            played.push(move)
        assert str(played.position) == line


PAIR = "{} 0 play {} ./././././././. 0,0/0,0/0,0/0,0 {}/6D7D8D/9C ./2S3S/. 0,0,0,.,. 2,1/{}/."
THREE = (
    f"crapette 0 play KS .{'/.' * 11} 0,0,0/0,0,0/0,0,0/0,0,0 "
    "4H5C/6D7D8D/9C ./2S3S/. ./3H4H/. 0,0,0,.,. 2,1,0/12/."
)
GIVEN_UP_TICKS = "vitesse 48 11,4/1,0/1,0/11,1 ./-,QH,-,6C/KS/2D ./TD,KH,TH,-/./. 0 1,2/."


def pair(variant: str, drawn: str = "-") -> Position:
    """A position of two; without a reserve, where the variant has none."""
    return Position.parse(PAIR.format(variant, drawn, *(".", ".") if variant == "crapo" else ("4H5C", "1")))


@pytest.mark.parametrize(
    ("variant", "loser", "points"),
    [
        ("crapaud", 0, (0, 0)),
        ("crapaud-kjq", 1, (0, 0)),
        ("crapo", 0, (0, 0)),
        ("crapette", 0, (6, 3 + 10 + 3)),  # three cards are half of six
        ("crapette", 1, (6 + 1, 3 + 10)),
        ("crapette-it", 0, (0, 4 + 2 * 2)),
        ("crapette-it-strict", 1, (2, 0)),
        ("russian-bank", 0, (0, 30 + 4 + 2 * 2)),
    ],
)
def test_who_gives_up_is_scored_as_the_loser_of_the_position(
    variant: str, loser: int, points: tuple[int, int]
) -> None:
    found = pair(variant).given_up(loser)
    assert (found.points, found.ranking) == (points, ((1 - loser,), (loser,)))


def test_of_three_the_one_who_gives_up_pays_the_others_but_not_for_a_reserve_that_is_empty() -> None:
    assert Position.parse(THREE).given_up(0).points == (-(3 + 3 + 10) - (3 + 0 + 10), 3 + 3 + 10, 3 + 0 + 10)
    assert Position.parse(THREE).given_up(1).points == (1 + 6, -(1 + 6) - (1 + 0), 1 + 0)


def test_an_agreed_draw_scores_what_a_drawn_game_does_and_a_card_in_the_air_is_the_movers() -> None:
    assert pair("crapette").given_up(None).points == (6, 13)
    assert pair("crapette-it").given_up(None).points == (0, 0)
    assert pair("crapaud", "KS").left == (7, 2)


def test_in_ticks_who_gives_up_gets_nothing_and_the_other_as_if_it_had_called_stop() -> None:
    position = Position.parse(GIVEN_UP_TICKS)
    assert position.given_up(0).points == (0, 20 + 20 + 49)
    assert position.given_up(1).points == (20 + 10 + 48, 0)
    assert position.left == (4, 3)


UNTYPED: Any = engine


def test_a_wrong_type_is_an_engine_error() -> None:
    game: Any = UNTYPED.TurnGame.deal("crapaud", "any text")
    ticks: Any = engine.deal("vitesse", "any text")
    letters = "expected the letters S, H, D and C in some order"
    for call, given, message in (
        (UNTYPED.Game, ("crapaud 0",), "expected a Position, got 'crapaud 0': Position.parse reads a line"),
        (UNTYPED.Game.deal, ("crapaud", 7), "expected a seed of 64 hex digits, got 7"),
        (UNTYPED.Game.deal, ("crapaud", "x", 2.0), "expected 2 players for crapaud, got 2.0"),
        (UNTYPED.Position.parse, (None,), "expected a position as a line of text, got None"),
        (UNTYPED.Move.parse, (3,), "expected a move such as t8-f, r-t1, h-d or draw, got 3"),
        (game.observation, ("0",), "expected a seat from 0 to 1, got '0'"),
        (game.perft, ("2",), "expected a depth, got '2'"),
        (UNTYPED.Game.replay, (game.start, None), "expected a list of words, got None"),
        (game.start.given_up, (2,), "expected a seat from 0 to 1, got 2"),
        (ticks.given_up, ("0",), "expected a seat from 0 to 1, got '0'"),
        (game.start.relabelled, (None,), f"{letters}, got None"),
        (ticks.relabelled, ("SHDD",), f"{letters}, got 'SHDD'"),
    ):
        with pytest.raises(engine.EngineError) as caught:
            call(*given)
        assert str(caught.value) == message
    with pytest.raises(engine.UnknownVariant, match=r"got \['crapo'\]$"):
        UNTYPED.variant(["crapo"])


CONFORMANCE = ROOT / "tests/conformance/data/games.jsonl"


def test_the_parts_of_every_game_with_points_add_up_to_its_outcome() -> None:
    cases = [json.loads(line) for line in CONFORMANCE.read_text(encoding="ascii").splitlines()]
    scored = [one for one in cases if one["players"] == 2 and any(one.get("score", {"points": ()})["points"])]
    assert {one["variant"] for one in scored} >= {"crapette", "crapette-it", "russian-bank", "vitesse"}
    for case in scored:
        position = Position.parse(case["position"])
        made, outcome = position.parts(), position.outcome()
        assert outcome is not None
        assert [*totals(made)] == [*outcome.points] == case["score"]["points"]
        assert all(part.points for own in made for part in own)
