"""Runs one program once in the sandbox: bytes in, bytes out. Uploads and canaries use it.

Any process can call it, even as root: a child process from the stage first drops to the runner's uid and then
starts the sandbox. `python -m sandbox.errand` is that child.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sandbox import inherited_signals
from sandbox.errors import BotFault, BotFlooded, BotSilent, HelperDied, SandboxUnavailable
from sandbox.identity import as_runner
from sandbox.launch import spawn
from sandbox.model import BotLimits, Level, Program
from sandbox.staging.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODULE = "sandbox.errand"
GRACE_SECONDS = 15.0
UNAVAILABLE_EXIT = 75


@dataclass(frozen=True, slots=True)
class ErrandOutcome:
    """The outcome of an errand. `trouble` is empty if the program ended by itself, with any status."""

    output: bytes
    trouble: str
    """"silent" (the deadline), "flooded" (too much output), or ""."""
    code: int | None
    cause: str
    words: str
    stderr: str
    cpu_ms: float
    max_rss_kb: int
    attestation: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Errand:
    """A program, its input, and limits on the time and size of its answer."""

    program: Program
    feed: tuple[bytes, ...] = ()
    """Its standard input, in parts: what is large is not copied to be joined."""
    limits: BotLimits = BotLimits()  # noqa: RUF009  (frozen)
    seconds: float = 10.0
    output_bytes: int = 1 << 20


def run(errand: Errand, level: Level, stage: Stage) -> ErrandOutcome:
    """Run the program. Raises `SandboxUnavailable` if the sandbox cannot be set up."""
    program = {**asdict(errand.program), "directory": str(errand.program.directory)}
    header = {
        "program": program,
        "limits": asdict(errand.limits),
        "level": level.value,
        "seconds": errand.seconds,
        "output_bytes": errand.output_bytes,
    }
    feed = (json.dumps(header).encode(), b"\n", *errand.feed)
    with _said_in_runner(stage, MODULE, feed, errand.seconds) as said:
        head = json.loads(said.readline())
        return ErrandOutcome(output=said.read(), **head)


def in_runner(stage: Stage, module: str, seconds: float, *arguments: str) -> bytes:
    """Run one of our modules from the stage under the runner's uid; return its output.

    If there is no sandbox, the module exits with status 75 and prints a JSON object {"problem", "hint"}.
    """
    with _said_in_runner(stage, module, (), seconds, *arguments) as said:
        return said.read()


@contextlib.contextmanager
def _said_in_runner(
    stage: Stage, module: str, feed: Sequence[bytes], seconds: float, *arguments: str
) -> Iterator[BinaryIO]:
    """Yield the module's output as a file, which may be larger than this process should hold twice."""
    command, dropped = as_runner(stage.command(module, *arguments))
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said:
        for part in feed:
            asked.write(part)
        asked.seek(0)
        try:
            done = subprocess.run(
                command,
                stdin=asked,
                stdout=said,
                stderr=subprocess.PIPE,
                env=stage.environment,
                cwd="/",
                timeout=seconds + GRACE_SECONDS,
                check=False,
                **dropped,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SandboxUnavailable(f"the sandbox's helper failed: {error}") from error
        said.seek(0)
        _check(done, said)
        yield said


def _check(done: subprocess.CompletedProcess[bytes], said: BinaryIO) -> None:
    """Raise `SandboxUnavailable` unless the module did its work."""
    if done.returncode == UNAVAILABLE_EXIT:
        raise SandboxUnavailable(**json.loads(said.read()))
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip()[-500:] or "it printed nothing"
        raise HelperDied(f"the sandbox's helper ended with status {done.returncode}: {why}")


def answer_unavailable(error: SandboxUnavailable) -> None:
    """Report the problem to `in_runner` and exit."""
    sys.stdout.write(json.dumps({"problem": error.problem, "hint": error.hint}))
    sys.exit(UNAVAILABLE_EXIT)


def main() -> None:
    """Read an errand on standard input, run it, write its outcome."""
    inherited_signals.accept()
    asked = json.loads(sys.stdin.buffer.readline())
    feed = sys.stdin.buffer.read()
    program = asked["program"]
    program |= {"directory": Path(program["directory"]), "arguments": tuple(program["arguments"])}
    errand = Errand(
        Program(**program), (feed,), BotLimits(**asked["limits"]), asked["seconds"], asked["output_bytes"]
    )
    try:
        outcome, output = _carry_out(errand, asked["level"])
    except SandboxUnavailable as error:
        answer_unavailable(error)
        raise
    sys.stdout.buffer.write(json.dumps(outcome).encode() + b"\n")
    sys.stdout.buffer.write(output)


def _carry_out(errand: Errand, level: str) -> tuple[dict[str, Any], bytes]:
    process = spawn(errand.program, errand.limits, level, Stage.ensure())
    deadline = time.monotonic() + errand.seconds
    output, trouble = b"", ""
    try:
        for part in errand.feed:
            process.send(part, deadline)
        process.close_input()
        output = process.read_to_end(deadline, errand.output_bytes)
    except BotSilent:
        trouble = "silent"
    except BotFlooded:
        trouble = "flooded"
    except BotFault:  # it ended before it took what it was sent
        pass
    ended = process.close()
    outcome = {
        "trouble": trouble,
        "code": ended.code,
        "cause": ended.cause,
        "words": ended.words,
        "stderr": ended.stderr.decode("utf-8", "replace"),
        "cpu_ms": ended.cpu_ns / 1e6,
        "max_rss_kb": ended.max_rss_kb,
        "attestation": process.attestation.as_dict(),
    }
    return outcome, output


if __name__ == "__main__":
    os.umask(0o077)
    main()
