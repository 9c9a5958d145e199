"""Hints for the commonest mistakes, as their messages really look."""

from pathlib import Path
from typing import Any

import pytest

from referee.mistake_advice import hint

PROTOCOL = Path(__file__).parents[3] / "docs/author/protocol.md"


EXITED, SILENT = "exited with status 1", "Expected one line within 10 seconds, got none."
WASM = "RangeError: WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance"
MISTAKES = [
    ("crash", EXITED, "weights.bin: Capabilities insufficient", "Compile the data it needs into the module."),
    ("memory", "wanted more than its 512 MB of memory", WASM, "A bot has 512 MB of memory"),
    ("crash", EXITED, "ModuleNotFoundError: No module named 'numpy'", "numpy is missing"),
    ("crash", EXITED, "Error: Cannot find module 'lodash'", "lodash is missing"),
    ("", SILENT, "", "It slept or waited (3 ms", 3, 10),
    ("", "The bot exited with status 0, as a program does that never calls run()", "", "run(choose)", 9, 1),
    ("protocol", "expected one line of JSON, got 'hello'", "", "Standard output is for answers"),
    ("crash", EXITED, "OSError: [Errno 30] Read-only file system", "cannot write"),
    ("startup", 'Seat 0 does not play vitesse: it was ready, but without "ticks"', "", "tick=choose"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake[3])
def test_a_mistake_gets_its_hint(mistake: tuple[Any, ...]) -> None:
    termination, detail, stderr, words, *took = mistake
    found = hint(termination, detail, stderr, *took)
    assert found is not None
    assert words in found.text
    assert f"# {found.section}\n" in PROTOCOL.read_text()
