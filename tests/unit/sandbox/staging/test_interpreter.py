"""The programs that run bots, as the host has them."""

from pathlib import Path

import pytest

from sandbox.staging import interpreter
from sandbox.staging.interpreter import Interpreter


def test_node_runs_webassembly_from_the_version_on_that_has_wasi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "node"
    program.touch(mode=0o755)
    monkeypatch.setattr(interpreter, "node", lambda: Interpreter(program, None, ()))
    for says, wasi in (
        ("v18.16.1", False),
        ("v18.17.0", True),
        ("v20.20.2", True),
        ("v12.22.9", False),
        ("no", False),
    ):
        program.write_text(f"#!/bin/sh\necho {says}\n")
        assert interpreter.has_wasi() == wasi
    monkeypatch.setattr(interpreter, "node", lambda: None)
    assert not interpreter.has_wasi()
