"""Runs one program once in the sandbox: bytes in, bytes out. Uploads and canaries use it.

Any process can call it, even as root: a child process from the stage first drops to the runner's uid and then
starts the sandbox. `python -m sandbox.errand` is that child.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sandbox.errors import BotFault, BotFlooded, BotSilent, SandboxUnavailable
from sandbox.identity import as_runner
from sandbox.launch import spawn
from sandbox.model import BotLimits, Level, Program
from sandbox.staging.stage import Stage

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
    feed: bytes = b""
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
    said = in_runner(stage, MODULE, json.dumps(header).encode() + b"\n" + errand.feed, errand.seconds)
    head, _, output = said.partition(b"\n")
    return ErrandOutcome(output=output, **json.loads(head))


def in_runner(stage: Stage, module: str, feed: bytes, seconds: float, *arguments: str) -> bytes:
    """Run one of our modules from the stage under the runner's uid; return its output.

    If there is no sandbox, the module exits with status 75 and prints a JSON object {"problem", "hint"}.
    """
    command, dropped = as_runner(stage.command(module, *arguments))
    try:
        done = subprocess.run(
            command,
            input=feed,
            capture_output=True,
            env=stage.environment,
            cwd="/",
            timeout=seconds + GRACE_SECONDS,
            check=False,
            **dropped,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxUnavailable(f"the sandbox's helper failed: {error}") from error
    if done.returncode == UNAVAILABLE_EXIT:
        raise SandboxUnavailable(**json.loads(done.stdout))
    if done.returncode:
        raise SandboxUnavailable(
            f"the sandbox's helper failed: {done.stderr.decode('utf-8', 'replace')[-500:]}"
        )
    return bytes(done.stdout)


def answer_unavailable(error: SandboxUnavailable) -> None:
    """Report the problem to `in_runner` and exit."""
    sys.stdout.write(json.dumps({"problem": error.problem, "hint": error.hint}))
    sys.exit(UNAVAILABLE_EXIT)


def main() -> None:
    """Read an errand on standard input, run it, write its outcome."""
    head, _, feed = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    program = asked["program"]
    program |= {"directory": Path(program["directory"]), "arguments": tuple(program["arguments"])}
    errand = Errand(
        Program(**program), feed, BotLimits(**asked["limits"]), asked["seconds"], asked["output_bytes"]
    )
    try:
        outcome, output = _carry_out(errand, asked["level"])
    except SandboxUnavailable as error:
        answer_unavailable(error)
        raise
    sys.stdout.buffer.write(json.dumps(outcome).encode() + b"\n" + output)


def _carry_out(errand: Errand, level: str) -> tuple[dict[str, Any], bytes]:
    process = spawn(errand.program, errand.limits, level, Stage.ensure())
    deadline = time.monotonic() + errand.seconds
    output, trouble = b"", ""
    try:
        process.send(errand.feed, deadline)
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
