"""Why a bot ended, told from what is left of it."""

import signal
from dataclasses import replace
from typing import Any

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
MEMORY = "wanted more than its 512 MB of memory"
CPU = "used up its 10 s of processor time"


def dead(status: int = 137, stderr: bytes = b"", **more: Any) -> ProcessEnd:
    return replace(PLAIN, status=status, stderr=stderr, **more)


@pytest.mark.parametrize(
    ("ending", "cause", "words"),
    [
        (PLAIN, "exit", "exited with status 0"),
        (dead(3), "exit", "exited with status 3"),
        (dead(87), "exit", "exited with status 87"),
        (dead(-11), "crash", "was killed by SIGSEGV"),
        (dead(139), "crash", "was killed by SIGSEGV"),
        (dead(134), "crash", "was killed by SIGABRT"),
        (dead(137), "crash", "was killed by SIGKILL"),
        (dead(-40), "crash", "was killed by signal 40"),
        (dead(159), "forbidden", "made a forbidden system call (SIGSYS)"),
        (dead(152), "cpu", CPU),
        (dead(cpu_ns=10_900_000_000), "cpu", CPU),
        (dead(killed=True), "killed", "was ended by the referee"),
        (dead(1, killed=True), "exit", "exited with status 1"),
        # It may have sent it to itself: that something was killed on the host says nothing of this bot.
        (KILLED, "crash", "was killed by SIGKILL"),
        (replace(KILLED, peaks=FULL), "memory", MEMORY),
        (replace(KILLED, peaks=LARGE), "host", HOSTS),
        # It looks large if it maps its own file often enough.
        (replace(KILLED, peaks=MAPPED), "memory", MEMORY),
        (replace(KILLED, peaks=LARGE, host_oom=False), "memory", MEMORY),
        # Its own cgroup knows.
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1)), "host", HOSTS),
        (replace(KILLED, memory_events=MemoryEvents(oom_kill=1), host_oom=False), "host", HOSTS),
        (replace(KILLED, peaks=LARGE, memory_events=MemoryEvents()), "memory", MEMORY),
        (replace(KILLED, memory_events=MemoryEvents()), "crash", "was killed by SIGKILL"),
        (replace(KILLED, memory_events=MemoryEvents(oom=3, oom_kill=1)), "memory", MEMORY),
        (replace(KILLED, status=1, memory_events=MemoryEvents(oom_kill=1)), "exit", "exited with status 1"),
        (dead(1, host_oom=True), "exit", "exited with status 1"),
        (dead(86), "memory", MEMORY),
        (dead(1, b"...\nMemoryError\n"), "memory", MEMORY),
        (dead(134, b"FATAL ERROR: JavaScript heap out of memory"), "memory", MEMORY),
        (dead(1, b"RangeError: Out of memory: Cannot allocate Wasm memory"), "memory", MEMORY),
        (dead(139, peaks=FULL), "memory", MEMORY),
        (dead(0, b"MemoryError", peaks=FULL), "exit", "exited with status 0"),
    ],
)
def test_an_ending_is_named(ending: ProcessEnd, cause: str, words: str) -> None:
    ended = ending.explain()
    assert (ended.cause, ended.words) == (cause, words)
    assert ended.signal == (signal.SIGSEGV if "SEGV" in words else ended.signal)


def test_the_host_is_never_taken_for_the_bot_nor_the_other_way_round() -> None:
    for ending, kind in (
        (PLAIN, BotExited),
        (dead(159), BotExited),
        (dead(86), BotOutOfMemory),
        (dead(152), BotOutOfCpu),
        (replace(KILLED, peaks=LARGE), KilledByHost),
    ):
        fault = exit_causes.fault(ending.explain())
        assert type(fault) is kind
        assert isinstance(fault, BotFault) == (kind is not KilledByHost)
        assert isinstance(fault, SandboxUnavailable) == (kind is KilledByHost)
    # Size alone speaks for it, and only a cgroup proves it.
    counted = replace(KILLED, memory_events=MemoryEvents(oom_kill=1))
    assert [one.explain().proved for one in (replace(KILLED, peaks=LARGE), counted)] == [False, True]


def test_the_kernels_count_of_a_cgroup_is_read() -> None:
    text = b"low 0\nhigh 2\nmax 7\noom 1\noom_kill 2\noom_group_kill 0\n"
    assert MemoryEvents.parse(text) == MemoryEvents(oom=1, oom_kill=2)
    assert MemoryEvents.parse(b"") == MemoryEvents()
