"""Finds out why a bot's process ended, from its exit status, its last output and its memory use."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from sandbox import proc
from sandbox.errors import BotExited, BotFault, BotOutOfCpu, BotOutOfMemory, KilledByHost
from sandbox.walls.stub import OUT_OF_MEMORY_EXIT

if TYPE_CHECKING:
    from sandbox.model import BotLimits

Cause = Literal["exit", "crash", "memory", "cpu", "forbidden", "killed", "host"]

NEARLY = 0.9
# What runtimes print when they get no memory: CPython, V8, libuv and node's buffers, Rust, Go, C++.
OUT_OF_MEMORY_WORDS = (
    b"MemoryError",
    b"heap out of memory",
    b"Array buffer allocation failed",
    b"failed to allocate",
    b"memory allocation of",
    b"Failed to reserve virtual memory",
    b"Cannot allocate Wasm memory",
    b"runtime: out of memory",
    b"runtime: cannot allocate memory",
    b"std::bad_alloc",
    b"Cannot allocate memory",
)
LAST_WORDS_BYTES = 4096
UNLIMITED_BYTES = 32 << 20
"""What an honest bot may hold beyond its data limit: 8 MB of stack, page tables, room for error."""
# Memory of its own, wherever it maps it: data, stacks, shared memory, what was swapped out, page tables.
HELD = (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE")


class Peaks:
    """The most memory a process was seen to use, in kB. It can only be measured while the process lives."""

    def __init__(self) -> None:
        self.rss_kb = 0
        self.data_kb = 0
        self.held_kb = 0
        """The most memory it held at once, without mapped files."""
        self._file_kb = 0

    def sample(self, pid: int) -> None:
        """Take a sample now, which costs about 30 µs. Does nothing if the process is gone."""
        text = proc.read(f"/proc/{pid}/status")
        self.rss_kb = max(self.rss_kb, proc.number(proc.field(text, b"VmHWM")))
        self.data_kb = max(self.data_kb, proc.number(proc.field(text, b"VmData")))
        self._file_kb = max(self._file_kb, proc.number(proc.field(text, b"RssFile")))
        now = sum(proc.number(proc.field(text, name)) for name in HELD)
        # The kernel remembers the peak between two looks, but counts the interpreter's own pages with it.
        self.held_kb = max(self.held_kb, now, self.rss_kb - self._file_kb)

    def exceed(self, limits: BotLimits) -> bool:
        """Whether the process held more than its limit, which means that it got round the kernel's own
        limits."""
        return self.held_kb * 1024 > limits.memory_bytes + UNLIMITED_BYTES


def host_oom_kills() -> int:
    """The number of processes the kernel has killed for lack of memory since the host started."""
    return proc.number(proc.read("/proc/vmstat").partition(b"\noom_kill ")[2])


@dataclass(frozen=True, slots=True)
class MemoryEvents:
    """What the memory cgroup of one bot, with nothing else in it, has counted (`memory.events` of cgroup v2).

    `oom` rises when the cgroup's own limit is reached, `oom_kill` when the kernel kills one of its processes,
    because of that limit or to free memory for others.
    """

    oom: int = 0
    oom_kill: int = 0

    @classmethod
    def parse(cls, text: bytes) -> MemoryEvents:
        """Parse the file's text; missing counts are 0. Raises nothing."""
        found = proc.counts(text)
        return cls(found.get(b"oom", 0), found.get(b"oom_kill", 0))


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """Everything that is known about a process that has ended."""

    status: int
    """As from `Popen.wait`, of bwrap or of the bot itself. bwrap passes a signal on as 128 + its number."""
    cpu_ns: int
    peaks: Peaks
    stderr: bytes
    limits: BotLimits
    killed: bool
    """Whether we sent SIGKILL."""
    host_oom: bool
    """Whether the kernel has killed anything for lack of memory since the process was started."""
    memory_events: MemoryEvents | None = None
    """The counts of the bot's own cgroup; None if it has none."""
    stderr_bytes: int = 0
    """The number of bytes it wrote to standard error. `stderr` is the part that was kept."""
    too_large: bool = False
    """Whether it held more memory than its limit, according to our samples or its own cgroup."""

    @property
    def number(self) -> int | None:
        """The signal that ended the process. An exit status of 129 or more counts as a signal."""
        if self.status < 0:
            return -self.status
        return self.status - 128 if 128 < self.status < 128 + signal.NSIG else None

    def explain(self) -> Exit:
        """Return how the process ended, and why."""
        cause, words = self._cause()
        return Exit(
            code=None if self.number else self.status,
            signal=self.number,
            cpu_ns=self.cpu_ns,
            max_rss_kb=self.peaks.rss_kb,
            stderr=self.stderr,
            killed=self.killed,
            cause=cause,
            words=words,
            stderr_bytes=self.stderr_bytes,
            proved=self.memory_events is not None,
        )

    def _cause(self) -> tuple[Cause, str]:
        limits, number = self.limits, self.number
        if number == signal.SIGKILL and (self.killed or self.too_large):
            return self._ended_by_us()
        if number == signal.SIGSYS:
            return "forbidden", "made a forbidden system call (SIGSYS)"
        if self._cpu_used_up():
            return "cpu", f"used up its {limits.cpu_seconds} s of processor time"
        if number == signal.SIGKILL and self._ended_for_the_host():
            return "host", "was ended by the kernel because the host ran out of memory"
        if self._wanted_memory():
            return "memory", f"wanted more than its {limits.memory_bytes >> 20} MB of memory"
        return self._by_itself()

    def _by_itself(self) -> tuple[Cause, str]:
        if self.number:
            return "crash", f"was killed by {_signal_name(self.number)}"
        return "exit", f"exited with status {self.status}"

    def _ended_by_us(self) -> tuple[Cause, str]:
        if self.too_large:
            return "memory", f"held more than its {self.limits.memory_bytes >> 20} MB of memory"
        return "killed", "was ended by the referee"  # it had not gone by itself a moment before

    def _ended_for_the_host(self) -> bool:
        """Whether the kernel killed this bot because others needed memory.

        A bot can send itself SIGKILL, or exit with 137, at any moment, so the fact that the kernel killed
        something somewhere is no evidence. The count of the bot's own cgroup is. Without one there is only
        its size: the kernel ends the largest first, so a bot that was small when last seen does not get the
        benefit of the doubt. What it maps of its own file, again and again, is not size.
        """
        events = self.memory_events
        if events is not None:
            return events.oom_kill > 0 and not events.oom
        return self.host_oom and self.peaks.held_kb * 1024 >= NEARLY * self.limits.memory_bytes

    def _cpu_used_up(self) -> bool:
        spent = self.cpu_ns >= (self.limits.cpu_seconds - 0.5) * 1e9
        return self.number == signal.SIGXCPU or (self.number == signal.SIGKILL and spent)

    def _wanted_memory(self) -> bool:
        if self.status in (0, OUT_OF_MEMORY_EXIT):
            return self.status != 0
        if self.memory_events is not None and self.memory_events.oom_kill and self.number == signal.SIGKILL:
            return True
        last = self.stderr[-LAST_WORDS_BYTES:]
        if any(words in last for words in OUT_OF_MEMORY_WORDS):
            return True
        return max(self.peaks.data_kb, self.peaks.rss_kb) * 1024 >= NEARLY * self.limits.memory_bytes


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def fault(ended: Exit) -> BotFault | KilledByHost:
    """Return the exception for a process that ended unasked."""
    if ended.cause == "host":
        return KilledByHost(ended)
    if ended.cause == "memory":
        return BotOutOfMemory(ended.words, ended)
    if ended.cause == "cpu":
        return BotOutOfCpu(ended.words, ended)
    if ended.cause == "killed":
        return BotExited("closed its output", ended)
    return BotExited(ended.words, ended)


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's process ended, and what it had used."""

    code: int | None
    """Exit status, or None when a signal ended it."""
    signal: int | None
    """The signal that ended it, ours (SIGKILL) or its own."""
    cpu_ns: int
    max_rss_kb: int
    stderr: bytes = field(repr=False)
    killed: bool = False
    """Whether we ended it."""
    cause: Literal["exit", "crash", "memory", "cpu", "forbidden", "killed", "host"] = "exit"
    words: str = ""
    """One clause for people: "exited with status 1", "was killed by SIGSEGV"."""
    stderr_bytes: int = 0
    """The number of bytes it wrote to standard error; `stderr` says where something was left out."""
    proved: bool = False
    """For the cause "host": whether the bot's own cgroup proves it, or only its size suggests it."""
