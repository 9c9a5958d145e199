"""How a bot's process ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


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
