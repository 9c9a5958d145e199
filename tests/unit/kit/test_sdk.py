"""The SDK as a bot's process uses it, the local runner, and games in a notebook."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine
from kit.sdk import crapette
from referee.protocol import MoveAnswer, Ready, parse_answer, parse_ready, parse_stop
from tests.site import ROOT

SDK = ROOT / "kit" / "sdk"
HELLO = {
    "type": "hello",
    "protocol": 1,
    "variant": "crapaud",
    "players": 2,
    "seat": 1,
    "future": [1, {"x": None}],
}
MOVE = {"type": "move", "id": "ab12", "ply": 3, "clocks": [1, 2], "legal": ["draw", "t1-f"], "position": "…"}
END = {"type": "end", "result": {}}


def talk(bot: str, *messages: dict[str, Any] | bytes) -> tuple[list[bytes], str, int]:
    """Run a bot in a bare Python as the sandbox does; what it answered, its standard error, its status."""
    said = b"".join(
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages
    )
    program = f"import sys; sys.path.insert(0, {str(SDK)!r})\nfrom crapette import *\n{bot}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], input=said, capture_output=True, timeout=20, check=False
    )
    return done.stdout.splitlines(), done.stderr.decode(), done.returncode


def test_a_bot_is_ready_answers_what_it_knows_and_leaves() -> None:
    show = "(turn.seat, turn.ply, turn.clocks, turn.position, turn.events, turn.draw_offered)"
    bot = f"run(lambda turn: print({show}) or turn.legal[0], start=lambda hello: print(hello['seat']))"
    lines, stderr, status = talk(bot, HELLO, {"type": "weather"}, MOVE | {"draw_offered": True}, END)
    assert parse_ready(lines[0]) == Ready("", start=True)
    assert parse_answer(lines[1], "ab12") == MoveAnswer(("draw",))
    assert (len(lines), stderr, status) == (2, "1\n(1, 3, [1, 2], '…', [], True)\n", 0)
    lines, _, _ = talk("run(max, stop=max, name='Łódź \"1\"', position=False, events=False)", HELLO)
    assert parse_ready(lines[0]) == Ready('Łódź "1"', position=False, events=False, stops=True)


ANSWERS = {
    "'t1-f'": MoveAnswer(("t1-f",)),
    "['t1-f', 'draw']": MoveAnswer(("t1-f", "draw")),
    "('t1-f',)": MoveAnswer(("t1-f",)),
    "Answer('draw')": MoveAnswer(("draw",)),
    "Answer(['draw'], comment='\"é\\n', evaluation=3, offer_draw=True)": MoveAnswer(
        ("draw",), '"é', 1.0, offer_draw=True
    ),
    "Answer(accept_draw=True)": MoveAnswer(accept_draw=True),
    "Answer(resign=True)": MoveAnswer(resign=True),
}


def test_whatever_choose_returns_is_an_answer_of_the_protocol() -> None:
    bot = f"answers = iter([{', '.join(ANSWERS)}])\nrun(lambda turn: next(answers))"
    _, *lines = talk(bot, HELLO, *[MOVE] * len(ANSWERS))[0]
    assert [parse_answer(line, "ab12") for line in lines] == [*ANSWERS.values()]


def test_polls_are_answered_and_without_a_function_declined() -> None:
    poll = {"type": "stop", "id": "cd34", "ply": 1, "before": "b", "move": "draw"}
    lines, _, _ = talk("run(max, stop=lambda poll: poll.move == 'draw' and poll.before == 'b')", HELLO, poll)
    assert parse_stop(lines[1], "cd34") is True
    lines, _, _ = talk("run(max)", HELLO, poll)
    assert parse_stop(lines[1], "cd34") is False


def test_the_sdk_imports_nothing_that_is_slow() -> None:
    _, stderr, _ = talk(
        "import sys\n"
        "slow = {'json', 're', 'typing', 'enum', 'dataclasses', 'engine'}\n"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)"
    )
    assert stderr == "[]\n"


LOCAL = f"""
import sys
sys.path[:0] = [{str(SDK)!r}, {str(SDK.parents[1])!r}]
from crapette import Answer, Poll
from crapette.local import play

seen = []

def choose(turn):
    seen.extend(event.get("move") for event in turn.events)
    return turn.legal[len(seen) % len(turn.legal)]

stops = [Poll.irregular, Poll.irregular] if sys.argv[1] == "crapette-it" else ()
print(play(sys.argv[1], "a seed", [choose, choose], stops))
print(seen.count("stop") > 0)
print(play("crapaud", "a seed", [lambda turn: Answer(resign=True)] * 2))
"""


@pytest.mark.parametrize("variant", ["crapaud", "crapette-it", "vitesse"])
def test_the_local_runner_plays_a_game_in_one_process(variant: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOCAL, variant], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    result, stopped, resigned = done.stdout.splitlines()
    assert result.startswith("((")
    assert stopped == str(variant == "crapette-it")
    starter = engine.TurnGame.deal("crapaud", hashlib.sha256(b"a seed").hexdigest()).turn
    assert resigned == f"((({1 - starter},), ({starter},)), (0, 0))"


WHOLE_BOT = """
import helper
from crapette import run

told = []

if __name__ == "__main__":
    run(lambda turn: helper.first(turn.legal), tick=lambda turn: turn.legal[-1], start=told.append)
"""
LOADED = f"""
import sys
sys.path[:0] = [{str(SDK)!r}, {str(SDK.parents[1])!r}]
import crapette
from crapette.local import load, play

bot = load(sys.argv[1])
print(bot.takes_part("crapaud"), bot.takes_part("vitesse"), bot.stop)
for board, choose in ("crapaud", lambda turn: turn.legal[0]), ("vitesse", lambda turn: turn.legal[-1]):
    print(play(board, "a seed", [bot, bot]) == play(board, "a seed", [choose, choose]))
print(len(bot.start.__self__))
try:
    load(sys.argv[2])
except ValueError as error:
    print(error)
print(crapette.run.__name__)
"""


def test_a_bot_can_be_loaded_and_played_without_its_game(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def first(legal):\n    return legal[0]\n")
    (tmp_path / "bot.py").write_text(WHOLE_BOT)
    (tmp_path / "none.py").write_text("from crapette import run\n")
    command = [sys.executable, "-c", LOADED, str(tmp_path / "bot.py"), str(tmp_path / "none.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "True True None",
        "True",
        "True",
        "4",
        f"expected a bot that calls run(), got {str(tmp_path / 'none.py')!r}, which does not",
        "run",
    ]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("from crapette import (\n    Answer,  # more\n    run,\n)\n", True),
        ("from crapette import engine\nfrom loop import run\n", False),
        ("from crapette import engine  # to run it\n", False),
    ],
)
def test_standard_output_is_kept_for_answers_before_a_bot_that_uses_run_begins(
    source: str, kept: bool
) -> None:
    lines, stderr, _ = talk(
        f"import crapette, os\ncrapette.prepare({source.encode()!r})\nos.write(1, b'complaint\\n')\n"
        "run(lambda turn: turn.legal[0])",
        HELLO,
        END,
    )
    assert ("complaint\n" in stderr) is kept
    assert (b"complaint" in lines) is not kept
    assert parse_ready(lines[-1]) == Ready("", start=True)


def first(turn: Any) -> str:
    return str(turn.legal[0])


@pytest.mark.parametrize(
    ("variant", "bots"),
    [
        ("crapaud", (first, "greedy")),
        ("crapette", ("random", "greedy", "planner")),
        ("vitesse", ("greedy", "planner")),
    ],
)
def test_functions_and_house_bots_play_in_a_notebook(variant: str, bots: tuple[Any, ...]) -> None:
    game = crapette.play(*bots, variant=variant, seed="x")
    again = crapette.play(*bots, variant=variant, seed="x")
    assert str(game.game.position) == str(again.game.position)
    assert game.names == [bot if isinstance(bot, str) else "first" for bot in bots]
    assert game.winner in {None, *game.names}
    assert str(game.at(0).game.position) == str(game.game.start)
    assert str(game.at(-1).game.position) == str(game.at(len(game) - 0).game.position)
    drawn = game._repr_html_()
    assert str(game) in drawn
    assert drawn.count("<pre") == drawn.count("</pre>") == 1
    with pytest.raises(IndexError):
        game.at(len(game) + 1)
