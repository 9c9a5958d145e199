"""Why a bot's process ended, told from its status, its last words and what it used, in any language."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Literal

from bots.sandbox.errors import BotExited, BotFault, BotOutOfCpu, BotOutOfMemory, SandboxUnavailable
from bots.sandbox.model import Exit
from bots.sandbox.stub import OUT_OF_MEMORY_EXIT

if TYPE_CHECKING:
    from bots.sandbox.model import Limits

Cause = Literal["exit", "crash", "memory", "cpu", "forbidden", "killed", "host"]

NEARLY = 0.9
# What runtimes say when they could not get memory: CPython, V8, libuv and node's buffers, Rust, Go, C++.
OUT_OF_MEMORY_WORDS = (
    b"MemoryError",
    b"heap out of memory",
    b"Array buffer allocation failed",
    b"failed to allocate",
    b"memory allocation of",
    b"Failed to reserve virtual memory",
    b"runtime: out of memory",
    b"runtime: cannot allocate memory",
    b"std::bad_alloc",
    b"Cannot allocate memory",
)
LAST_WORDS_BYTES = 4096


class Peaks:
    """The most memory a process was seen to use, in kB: sampled while it thinks, since the dead do not tell."""

    def __init__(self) -> None:
        self.rss_kb = 0
        self.size_kb = 0
        self.data_kb = 0

    def sample(self, pid: int) -> None:
        """Look now. Costs about 20 µs; does nothing when the process is gone."""
        try:
            with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123  (half the time of pathlib)
                text = file.read()
        except OSError:
            return
        self.rss_kb = max(self.rss_kb, _kilobytes(text, b"VmHWM:"))
        self.size_kb = max(self.size_kb, _kilobytes(text, b"VmPeak:"))
        self.data_kb = max(self.data_kb, _kilobytes(text, b"VmData:"))


def _kilobytes(status: bytes, name: bytes) -> int:
    _, found, rest = status.partition(name)
    return int(rest.split(None, 1)[0]) if found else 0


def host_oom_kills() -> int:
    """How many processes the kernel has killed for want of memory since the host started."""
    try:
        with open("/proc/vmstat", "rb") as file:  # noqa: PTH123
            text = file.read()
    except OSError:
        return 0
    _, found, rest = text.partition(b"\noom_kill ")
    return int(rest.split(None, 1)[0]) if found else 0


def explain(
    status: int, cpu_ns: int, peaks: Peaks, stderr: bytes, limits: Limits, *, killed: bool, host_oom: bool
) -> Exit:
    """The whole story of an end. `status` is as from `Popen.wait`, of bwrap or of the bot itself.

    bwrap passes a signal on as 128 + its number, so an exit status of 129 and more reads as a signal.
    """
    number = -status if status < 0 else status - 128 if 128 < status < 128 + signal.NSIG else None
    code = None if number else status
    cause, words = _cause(code, number, cpu_ns, peaks, stderr, limits, killed=killed, host_oom=host_oom)
    return Exit(code, number, cpu_ns, peaks.rss_kb, stderr, killed, cause, words)


def _cause(
    code: int | None,
    number: int | None,
    cpu_ns: int,
    peaks: Peaks,
    stderr: bytes,
    limits: Limits,
    *,
    killed: bool,
    host_oom: bool,
) -> tuple[Cause, str]:
    if killed and number == signal.SIGKILL:  # it may have gone by itself a moment before
        return "killed", "was ended by the referee"
    name = _signal_name(number) if number else ""
    if number == signal.SIGSYS:
        return "forbidden", "made a forbidden system call (SIGSYS)"
    spent = cpu_ns >= (limits.cpu_seconds - 0.5) * 1e9
    if number == signal.SIGXCPU or (number == signal.SIGKILL and spent):
        return "cpu", f"used up its {limits.cpu_seconds} s of processor time"
    if number == signal.SIGKILL and host_oom:
        return "host", "was ended by the kernel because the host ran out of memory"
    if code == OUT_OF_MEMORY_EXIT or ((number or code) and _wanted_memory(peaks, stderr, limits)):
        return "memory", f"wanted more than its {limits.memory_bytes >> 20} MB of memory"
    if number:
        return "crash", f"was killed by {name}"
    return "exit", f"exited with status {code}"


def _wanted_memory(peaks: Peaks, stderr: bytes, limits: Limits) -> bool:
    last = stderr[-LAST_WORDS_BYTES:]
    if any(words in last for words in OUT_OF_MEMORY_WORDS):
        return True
    return max(peaks.data_kb, peaks.rss_kb) * 1024 >= NEARLY * limits.memory_bytes


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def fault(ended: Exit) -> BotFault | SandboxUnavailable:
    """What to raise for an end nobody asked for."""
    if ended.cause == "host":
        return SandboxUnavailable(f"a bot {ended.words}", "give the host memory, or play fewer games at once")
    if ended.cause == "memory":
        return BotOutOfMemory(ended.words, ended)
    if ended.cause == "cpu":
        return BotOutOfCpu(ended.words, ended)
    if ended.cause == "killed":
        return BotExited("closed its output", ended)
    return BotExited(ended.words, ended)
