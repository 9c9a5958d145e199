"""``crapette check-bot``: what it finds wrong with a bot, and what to do about the commonest mistakes."""

import re
from pathlib import Path

import pytest

from engine.boards import BOARDS
from kit.conformance import scripted_talk
from kit.local import check_bot
from tests.integration.referee.test_commands import BOTS

NOISY = """
import ctypes
import os

os.write(1, b"[E:runtime] a library complains while it is loaded\\n")
from crapette import run

ctypes.CDLL(None).puts(b"[E:runtime] in C")
print("the bot, too")


def choose(turn):
    os.write(1, b"[E:runtime] and in the middle of a game\\n")
    return turn.legal[0]


run(choose, plays=["crapaud"])
"""
OWN_WORDS = """
import json
from crapette import engine

print(json.dumps({"type": "ready", "position": False, "events": False, "plays": ["crapaud"]}), flush=True)
while True:
    message = json.loads(input())
    if message["type"] == "move":
        print(json.dumps({"id": message["id"], "moves": [message["legal"][0]]}), flush=True)
    elif message["type"] == "end":
        break
"""
"""A bot that speaks for itself, and has the engine from the SDK."""


@pytest.mark.usefixtures("arena")
@pytest.mark.parametrize(
    ("bot", "how"), [(NOISY, ()), (OWN_WORDS, ("--unsandboxed",))], ids=["noisy", "own words"]
)
def test_what_libraries_print_is_no_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], bot: str, how: tuple[str, ...]
) -> None:
    (tmp_path / "bot.py").write_text(bot)
    assert check_bot.main([str(tmp_path / "bot.py"), "--variant", "crapaud", *how]) == 0, capfd.readouterr()
    assert "bot is ready to play." in capfd.readouterr().out


@pytest.mark.usefixtures("arena")
def test_the_check_sees_a_bot_that_computes_while_it_waits(capsys: pytest.CaptureFixture[str]) -> None:
    check_bot.main([str(BOTS / "ponderer.py"), "--variant", "crapaud"])
    assert "! does not compute while others think: used " in capsys.readouterr().out


@pytest.mark.usefixtures("arena")
def test_the_check_tries_every_board_that_a_bot_names_and_refuses_what_cannot_be_uploaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "choosy.py"
    bot.write_text(
        "from crapette import run\nrun(lambda turn: turn.legal[0], plays=['crapo', 'crapette/3'])\n"
    )
    assert check_bot.main([str(bot)]) == 0
    said = capsys.readouterr().out
    left_out = re.findall(r"^– plays a game of (\S+) against itself: not played", said, re.MULTILINE)
    assert left_out == [board for board in BOARDS if board not in ("crapo", "crapette/3")]
    assert len(re.findall(r"^✓ plays a game of ", said, re.MULTILINE)) == 2
    bot.write_text("def choose(:\n")
    assert check_bot.main([str(bot)]) == 1
    assert capsys.readouterr().err.startswith(f"crapette check-bot: {bot}: ")


SDK = "from crapette import run\n"
SPOKEN = """\
import json, sys

def tell(**message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        tell(type="ready")
    elif message["type"] == "move":
        legal, id = message["legal"], message["id"]
        {answer}
"""
MISTAKES = {
    "standard input is read": (
        f"{SDK}def choose(turn):\n    input()\n    return turn.legal[0]\nrun(choose)\n",
        "let only run() read standard input",
    ),
    "nothing is printed": (SPOKEN.replace("{answer}", "pass"), "Let it answer at once. Without the SDK"),
    "an answer is not flushed": (
        SPOKEN.replace("{answer}", "print(json.dumps(dict(id=id, moves=legal[:1])))"),
        "end each answer with a newline and flush standard output",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_what_to_do(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, told = MISTAKES[mistake]
    (tmp_path / "bot.py").write_text(source)
    # Long enough to tell a loop from a wait, and shorter than what an author gets. Only what runs in this
    # process takes it over.
    monkeypatch.setattr(scripted_talk, "ANSWER_S", 1.0)
    assert check_bot.main([str(tmp_path / "bot.py"), "--variant", "crapaud", "--unsandboxed"]) == 1
    said = capsys.readouterr()
    assert told in " ".join((said.out + said.err).split())
