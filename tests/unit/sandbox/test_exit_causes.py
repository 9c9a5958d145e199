"""Why a bot ended, told from what is left of it."""

import signal
from dataclasses import replace

import pytest

from sandbox import (
    BotExited,
    BotFault,
    BotLimits,
    BotOutOfCpu,
    BotOutOfMemory,
    KilledByHost,
    SandboxUnavailable,
    exit_causes,
)
from sandbox.exit_causes import MemoryEvents, Peaks, ProcessEnd

PLAIN = ProcessEnd(0, 5_000_000, Peaks(), b"", BotLimits(cpu_seconds=10), killed=False, host_oom=False)
FULL = Peaks()
FULL.data_kb = 500 << 10
LARGE = Peaks()
LARGE.rss_kb = LARGE.held_kb = 500 << 10
MAPPED = Peaks()
MAPPED.rss_kb = 500 << 10
KILLED = replace(PLAIN, status=137, host_oom=True)
"""A SIGKILL that nobody of ours sent, while the kernel killed something on the host."""
HOSTS = "was ended by the kernel because the host ran out of memory"


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
        # It may have sent it to itself: that something was killed on the host says nothing of this bot.
        (KILLED, "crash", "was killed by SIGKILL"),
        (replace(KILLED, peaks=FULL), "memory", "wanted more than its 512 MB of memory"),
        (replace(KILLED, peaks=LARGE), "host", HOSTS),
        # It looks large if it maps its own file often enough.
        (replace(KILLED, peaks=MAPPED), "memory", "wanted more than its 512 MB of memory"),
        (replace(KILLED, peaks=LARGE, host_oom=False), "memory", "wanted more than its 512 MB of memory"),
        # Its own cgroup knows.
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1)), "host", HOSTS),
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1), host_oom=False), "host", HOSTS),
        (
            replace(KILLED, peaks=LARGE, memory_events=MemoryEvents()),
            "memory",
            "wanted more than its 512 MB of memory",
        ),
        (replace(KILLED, memory_events=MemoryEvents()), "crash", "was killed by SIGKILL"),
        (
            replace(KILLED, memory_events=MemoryEvents(oom=3, oom_kill=1)),
            "memory",
            "wanted more than its 512 MB of memory",
        ),
        (replace(KILLED, status=1, memory_events=MemoryEvents(oom_kill=1)), "exit", "exited with status 1"),
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
        (
            replace(PLAIN, status=1, stderr=b"RangeError: Out of memory: Cannot allocate Wasm memory"),
            "memory",
            "wanted more than its 512 MB of memory",
        ),
        (replace(PLAIN, status=139, peaks=FULL), "memory", "wanted more than its 512 MB of memory"),
        (replace(PLAIN, status=0, peaks=FULL, stderr=b"MemoryError"), "exit", "exited with status 0"),
    ],
)
def test_an_ending_is_named(ending: ProcessEnd, cause: str, words: str) -> None:
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
        (replace(KILLED, peaks=LARGE), KilledByHost),
    ],
)
def test_the_host_is_never_taken_for_the_bot(ending: ProcessEnd, kind: type[Exception]) -> None:
    """Nor the other way round."""
    ended = ending.explain()
    fault = exit_causes.fault(ended)
    assert type(fault) is kind
    assert isinstance(fault, BotFault) == (kind is not KilledByHost)
    assert isinstance(fault, SandboxUnavailable) == (kind is KilledByHost)


def test_only_a_cgroup_proves_that_it_was_the_host() -> None:
    """Size alone speaks for it, and is told apart."""
    by_size = replace(KILLED, peaks=LARGE).explain()
    counted = replace(KILLED, memory_events=MemoryEvents(oom_kill=1)).explain()
    assert (by_size.cause, by_size.proved) == ("host", False)
    assert (counted.cause, counted.proved) == ("host", True)


def test_the_kernels_count_of_a_cgroup_is_read() -> None:
    """The file has more lines with each kernel."""
    text = b"low 0\nhigh 2\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n"
    assert MemoryEvents.parse(text) == MemoryEvents(oom=1, oom_kill=2)
    assert MemoryEvents.parse(b"") == MemoryEvents()
