"""The command line of the engine, run inside this process or as its users do, and what a refusal is."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

import pytest

from engine import cli
from engine.turns.core import whole

COMPILED = not str(whole.__file__).endswith(".py")
COMMAND = (
    [sys.executable, "-m", "engine"] if COMPILED else [sys.executable, "-m", "tests.uncompiled", "engine"]
)


@dataclass(frozen=True)
class Answer:
    """How a run ended and what it printed."""

    status: int
    out: str
    error: str


class _Input(io.TextIOWrapper):
    """Standard input that holds these bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


def run_inside(monkeypatch: pytest.MonkeyPatch, arguments: list[str], data: bytes) -> Answer:
    monkeypatch.setattr(sys, "stdin", _Input(data))
    out, error = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            status = cli.main(arguments)
        except SystemExit as ended:  # wrong arguments
            status = int(ended.code or 0)
    return Answer(status, out.getvalue(), error.getvalue())


def run_outside(arguments: list[str], data: bytes) -> Answer:
    done = subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, timeout=60, check=False)
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def assert_refused(answer: Answer, line: str) -> None:
    """Exit 2, nothing on standard output, exactly one line on standard error, which names the line."""
    assert answer.status == 2, line
    assert answer.out == "", line
    assert answer.error.startswith("line 1: "), (line, answer.error)
    assert answer.error.endswith("\n"), line
    assert answer.error.count("\n") == 1, (line, answer.error)
    assert answer.error.isprintable() or answer.error[:-1].isprintable(), (line, answer.error)
    assert "Traceback" not in answer.error
