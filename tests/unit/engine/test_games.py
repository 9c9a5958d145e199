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
from engine import Position, TickPosition, TurnGame, TurnPosition
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
        (UNTYPED.Position.parse, (None,), "expected a position as a line of text, got None"),
        (game.observation, ("0",), "expected a seat from 0 to 1, got '0'"),
        (UNTYPED.Game.replay, (game.start, None), "expected a list of words, got None"),
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


PARSED = "crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD KD/QD8CTH/. 0,198,0,.,. 1,1/0/."
LAYING = "crapette-it 1 lay0.1 7D JH/TC/./././6H/5D/. 0,0/0,0/0,0/2,0 3D/TD/. 3S/3H/9S 0,1,0,0,! 0,0/./."


def changed(line: str, *changes: str) -> str:
    """The line with parts replaced, each of which must be there once."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert line.count(old) == 1, (line, old)
        line = line.replace(old, new)
    return line


EMPTY = "./AD/TD", "././."
BAD = [
    ("", f"expected one of {', '.join(engine.VARIANTS)}, got ''"),
    ((PARSED, "crapaud 0", "crapaud 2"), "expected the seat to move from 0 to 1, got '2'"),
    ((PARSED, "play", "lay3.2"), "expected the phase as play, got 'lay3.2'"),
    ((LAYING, "lay0.1", "lay4.1"), "expected the phase as play or lay<k>.<q>, k to 3, q to 2, got 'lay4.1'"),
    ((PARSED, "./././3D/", "././3D/"), "expected 8 houses separated by '/', got 7 in '././3D/./././.'"),
    ((PARSED, "3D/", "3D??/"), "expected a known card on top of house t4, got '??'"),
    ((PARSED, "AD/TD", "AD/??"), "expected a known card on top of the discard of seat 0, got '??'"),
    ((PARSED, "8,1", "1,8"), "expected the heights of spades highest first, got '1,8'"),
    ((PARSED, "AD/TD", "??" * 80 + "/TD"), "expected at most 104 cards, got 135"),
    ((LAYING, "0,1,0,0,!", "1,1,0,0,!"), "expected idle and passes 0 with a card drawn, got 1 and 0"),
    ((LAYING, "TC/./././6H", "TC/2S/2D/KC/6H"), "expected at least 2 empty houses in lay0.1, got 1"),
    ((PARSED, "1,1/0/.", "1,1/./."), "expected emptied to name the seats with an empty reserve, 0, got '.'"),
    ((PARSED, "1,1/0/.", "1,1/0/0"), "expected no card left to seat 0, which is out, got 2"),
    ((PARSED, *EMPTY), "expected seat 0, which has no card, in out, got '.'"),
    ((PARSED, "crapaud", "crapo", "1,1/0/.", "1,1/./."), "expected no reserve of seat 1 in crapo, got 'KD'"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_a_bad_line_is_refused_with_a_sentence(line: str | tuple[str, ...], message: str) -> None:
    with pytest.raises(engine.EngineError) as caught:
        TurnPosition.parse(line if isinstance(line, str) else changed(*line))
    assert str(caught.value) == message


def test_a_tick_taken_back_leaves_nothing_behind() -> None:
    game = engine.TickGame.deal("vitesse", "00" * 32)
    other = game.clone()
    game.play(["s2-f,turn", "wait,wait"])
    assert (game.ply, other.ply) == (2, 0)
    game.pop()
    game.pop()
    assert (game.position, game.history) == (game.start, ())
    with pytest.raises(
        engine.IllegalMove, match=r"^expected a tick to take back, got the start of the game$"
    ):
        game.pop()


def test_a_card_that_comes_too_late_is_told_with_the_foundation_it_was_meant_for() -> None:
    game = engine.TickGame(
        TickPosition.parse("vitesse 4 4,2/0,0/0,0/0,0 ./5S,-,-,-/????/2H ./-,5S,-,-/????/3H 0 0,0/.")
    )
    done = [each.as_dict() for each in game.push("s1-f", "s2-f").done]
    assert done == [
        {"seat": 0, "move": "s1-f", "card": "5S", "from": "s0.1", "to": "fS0"},
        {"seat": 1, "move": "s2-f", "card": "5S", "from": "s1.2", "to": "fS0", "missed": True},
    ]
