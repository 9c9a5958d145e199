"""Hints for the commonest mistakes, as their messages really look."""

from pathlib import Path
from typing import Any

import pytest

from referee import mistake_advice
from referee.mistake_advice import hint, warn_of_lost_moves

PROTOCOL = Path(__file__).parents[3] / "docs/author/protocol.md"


EXITED, SILENT = "exited with status 1", "Expected one line within 10 seconds, got none."
WASM = "RangeError: WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance"
MISTAKES = [
    ("crash", EXITED, "weights.bin: Capabilities insufficient", "Compile the data it needs into the module."),
    ("memory", "wanted more than its 512 MB of memory", WASM, "A bot has 512 MB of memory"),
    ("crash", EXITED, "ModuleNotFoundError: No module named 'numpy'", "numpy is missing"),
    ("crash", EXITED, "Error: Cannot find module 'lodash'", "lodash is missing"),
    ("", SILENT, "", "It slept or waited (3 ms", 3, 10),
    ("", SILENT, "", "computed the whole time (4000 ms", 4000, 10),
    ("timeout", "Seat 0 used up its clock", "", "endless loop", 60000),
    ("", "The bot exited with status 0, as a program does that never calls run()", "", "run(choose)", 9, 1),
    ("protocol", "expected one line of JSON, got 'hello'", "", "Standard output is for answers"),
    ("protocol", "Expected \"id\" to repeat 'a'", "", "Copy the id"),
    ("illegal-move", "Seat 0 played 'x'", "", "Answer with moves from legal"),
    ("crash", EXITED, "TypeError: choose must return a move", "every path"),
    ("crash", EXITED, "OSError: [Errno 30] Read-only file system", "cannot write"),
    ("crash", EXITED, "URLError: <urlopen error [Errno -3]>", "connections"),
    ("startup", 'Seat 0 does not play vitesse: it was ready, but without "ticks"', "", "tick=choose"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake[3])
def test_a_mistake_gets_its_hint(mistake: tuple[Any, ...]) -> None:
    termination, detail, stderr, words, *took = mistake
    found = hint(termination, detail, stderr, *took)
    assert found is not None
    assert words in found.text
    assert f"# {found.section}\n" in PROTOCOL.read_text()


def test_what_is_nobodys_mistake_gets_none() -> None:
    assert hint("win", "Won by going out.") is None
    assert hint("crash", "was killed by SIGSEGV") is None


def test_moves_after_a_draw_are_named() -> None:
    assert "(t1-f, t2-f)" in warn_of_lost_moves(("draw", "t1-f", "t2-f"))
    assert warn_of_lost_moves(("t1-f", "draw")) == ""
    assert mistake_advice.LIMITS in PROTOCOL.read_text()
