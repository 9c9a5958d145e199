"""Hints for the commonest mistakes, as their messages really look."""

from pathlib import Path

import pytest

from referee import mistake_advice
from referee.mistake_advice import hint, warn_of_lost_moves

PROTOCOL = Path(__file__).parents[3] / "docs/author/protocol.md"


@pytest.mark.parametrize(
    ("termination", "detail", "stderr", "cpu_ms", "waited", "words"),
    [
        (
            "crash",
            "exited with status 1",
            "weights.bin: Capabilities insufficient",
            9,
            0,
            "Compile the data it needs into the module.",
        ),
        (
            "memory",
            "wanted more than its 512 MB of memory",
            "RangeError: WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance",
            9,
            0,
            "A bot has 512 MB of memory",
        ),
        (
            "crash",
            "exited with status 1",
            "ModuleNotFoundError: No module named 'numpy'",
            9,
            0,
            "numpy is missing",
        ),
        ("crash", "exited with status 1", "Error: Cannot find module 'lodash'", 9, 0, "lodash is missing"),
        ("", "Expected one line within 10 seconds, got none.", "", 3, 10, "It slept or waited (3 ms"),
        (
            "",
            "Expected one line within 10 seconds, got none.",
            "",
            4000,
            10,
            "computed the whole time (4000 ms",
        ),
        ("timeout", "Seat 0 used up its clock", "", 60000, 0, "endless loop"),
        (
            "",
            "The bot exited with status 0, as a program does that never calls run()",
            "",
            9,
            1,
            "run(choose)",
        ),
        ("protocol", "expected one line of JSON, got 'hello'", "", 9, 0, "Standard output is for answers"),
        ("protocol", "Expected \"id\" to repeat 'a'", "", 9, 0, "Copy the id"),
        ("illegal-move", "Seat 0 played 'x'", "", 9, 0, "Answer with moves from legal"),
        ("crash", "exited with status 1", "TypeError: choose must return a move", 9, 0, "every path"),
        ("crash", "exited with status 1", "OSError: [Errno 30] Read-only file system", 9, 0, "cannot write"),
        ("crash", "exited with status 1", "URLError: <urlopen error [Errno -3]>", 9, 0, "connections"),
        (
            "startup",
            'Seat 0 does not play vitesse: it was ready, but without "ticks"',
            "",
            9,
            0,
            "tick=choose",
        ),
    ],
)
def test_a_mistake_gets_its_hint(
    termination: str, detail: str, stderr: str, cpu_ms: int, waited: float, words: str
) -> None:
    found = hint(termination, detail, stderr, cpu_ms, waited)
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
