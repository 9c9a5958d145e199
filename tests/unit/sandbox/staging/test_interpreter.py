"""The programs that run bots, as the host has them."""

from pathlib import Path

import pytest

from sandbox.staging import interpreter
from sandbox.staging.interpreter import Interpreter


@pytest.mark.parametrize(
    ("says", "wasi"),
    [("v18.16.1", False), ("v18.17.0", True), ("v20.20.2", True), ("v12.22.9", False), ("nonsense", False)],
)
def test_node_runs_webassembly_from_the_version_on_that_has_wasi(
    says: str, wasi: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "node"
    program.write_text(f"#!/bin/sh\necho {says}\n")
    program.chmod(0o755)
    monkeypatch.setattr(interpreter, "node", lambda: Interpreter(program, None, ()))
    assert interpreter.has_wasi() == wasi


def test_without_node_there_is_no_webassembly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "node", lambda: None)
    assert not interpreter.has_wasi()
