"""The commonest mistakes of authors, made on purpose: each is told with what to do about it.

Those that a step of the check says in words of its own are in `test_check_bot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kit.conformance import scripted_talk
from kit.local import check_bot

if TYPE_CHECKING:
    from pathlib import Path

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
    "numpy": (b"import numpy\n", 1, "numpy is missing: Python bots have the standard library, crapette"),
    "standard input is read": (
        f"{SDK}def choose(turn):\n    input()\n    return turn.legal[0]\nrun(choose)\n".encode(),
        1,
        "let only run() read standard input",
    ),
    "nothing is printed": (
        SPOKEN.replace("{answer}", "pass").encode(),
        1,
        "Let it answer at once. Without the SDK",
    ),
    "an answer is not flushed": (
        SPOKEN.replace("{answer}", "print(json.dumps(dict(id=id, moves=legal[:1])))").encode(),
        1,
        "end each answer with a newline and flush standard output",
    ),
    "a loop that does not end": (
        f"{SDK}def choose(turn):\n    while True:\n        pass\nrun(choose)\n".encode(),
        1,
        "It computed the whole time",
    ),
    "moves after a draw": (
        f'{SDK}run(lambda turn: ["draw", *turn.legal] if "draw" in turn.legal else turn.legal[0])\n'.encode(),
        0,
        "draw turns up a card, so the arena drops what follows it",
    ),
    "Latin-1": (
        SDK.encode() + "# größer ist besser\nrun(lambda turn: turn.legal[0])\n".encode("latin-1"),
        1,
        "is not valid UTF-8: see line 2, byte",
    ),
    "a syntax error": (f"{SDK}def choose(turn)\n    return 1\n".encode(), 1, "line 2"),
    "choose returns nothing": (
        f'{SDK}def choose(turn):\n    if "no" in turn.legal:\n        return "no"\nrun(choose)\n'.encode(),
        1,
        "Return one of turn.legal on every path",
    ),
    "a file is written": (
        f'{SDK}open("/tmp/log.txt", "w")\nrun(lambda turn: turn.legal[0])\n'.encode(),
        1,
        "A bot cannot write files, open network connections or start programs.",
    ),
    "a file of another place is read": (
        f'{SDK}open("/home/ann/book.txt")\nrun(lambda turn: turn.legal[0])\n'.encode(),
        1,
        "can read only its own files",
    ),
}


WAITED_FOR = frozenset(
    ("standard input is read", "nothing is printed", "an answer is not flushed", "a loop that does not end")
)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_what_to_do(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, status, told = MISTAKES[mistake]
    (tmp_path / "bot.py").write_bytes(source)
    # Long enough to tell a loop from a wait, and shorter than what an author gets. Only what runs in this
    # process takes it over.
    monkeypatch.setattr(scripted_talk, "ANSWER_S", 1.0)
    open_air = ["--unsandboxed"] if mistake in WAITED_FOR else []
    ended = check_bot.main([str(tmp_path / "bot.py"), "--variant", "crapaud", *open_air])
    said = capsys.readouterr()
    assert told in " ".join((said.out + said.err).split())
    assert ended == status
