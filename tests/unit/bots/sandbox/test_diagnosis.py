"""Why a bot ended, told from what is left of it."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from bots.sandbox import (
    BotExited,
    BotFault,
    BotOutOfCpu,
    BotOutOfMemory,
    Limits,
    SandboxUnavailable,
    diagnosis,
)
from bots.sandbox.diagnosis import Ending, Peaks

PLAIN = Ending(0, 5_000_000, Peaks(), b"", Limits(cpu_seconds=10), killed=False, host_oom=False)
FULL = Peaks()
FULL.data_kb = 500 << 10


@pytest.mark.parametrize(
    ("ending", "cause", "words"),
    [
        (PLAIN, "exit", "exited with status 0"),
        (replace(PLAIN, status=3), "exit", "exited with status 3"),
        (replace(PLAIN, status=87), "exit", "exited with status 87"),
        (replace(PLAIN, status=-11), "crash", "was killed by SIGSEGV"),
        (replace(PLAIN, status=139), "crash", "was killed by SIGSEGV"),
        (replace(PLAIN, status=134), "crash", "was killed by SIGABRT"),
        (replace(PLAIN, status=137), "crash", "was killed by SIGKILL"),
        (replace(PLAIN, status=-40), "crash", "was killed by signal 40"),
        (replace(PLAIN, status=159), "forbidden", "made a forbidden system call (SIGSYS)"),
        (replace(PLAIN, status=152), "cpu", "used up its 10 s of processor time"),
        (replace(PLAIN, status=137, cpu_ns=10_900_000_000), "cpu", "used up its 10 s of processor time"),
        (replace(PLAIN, status=137, killed=True), "killed", "was ended by the referee"),
        (replace(PLAIN, status=1, killed=True), "exit", "exited with status 1"),
        (
            replace(PLAIN, status=137, host_oom=True),
            "host",
            "was ended by the kernel because the host ran out of memory",
        ),
        (replace(PLAIN, status=1, host_oom=True), "exit", "exited with status 1"),
        (replace(PLAIN, status=86), "memory", "wanted more than its 512 MB of memory"),
        (
            replace(PLAIN, status=1, stderr=b"...\nMemoryError\n"),
            "memory",
            "wanted more than its 512 MB of memory",
        ),
        (
            replace(PLAIN, status=134, stderr=b"FATAL ERROR: JavaScript heap out of memory"),
            "memory",
            "wanted more than its 512 MB of memory",
        ),
        (replace(PLAIN, status=139, peaks=FULL), "memory", "wanted more than its 512 MB of memory"),
        (replace(PLAIN, status=0, peaks=FULL, stderr=b"MemoryError"), "exit", "exited with status 0"),
    ],
)
def test_an_ending_is_named(ending: Ending, cause: str, words: str) -> None:
    """In any language, through bwrap or not."""
    ended = ending.explain()
    assert (ended.cause, ended.words) == (cause, words)
    assert ended.signal == (signal.SIGSEGV if "SEGV" in words else ended.signal)


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        (PLAIN, BotExited),
        (replace(PLAIN, status=159), BotExited),
        (replace(PLAIN, status=86), BotOutOfMemory),
        (replace(PLAIN, status=152), BotOutOfCpu),
        (replace(PLAIN, status=137, host_oom=True), SandboxUnavailable),
    ],
)
def test_the_host_is_never_taken_for_the_bot(ending: Ending, kind: type[Exception]) -> None:
    """Nor the other way round."""
    ended = ending.explain()
    fault = diagnosis.fault(ended)
    assert type(fault) is kind
    assert isinstance(fault, BotFault) == (kind is not SandboxUnavailable)
