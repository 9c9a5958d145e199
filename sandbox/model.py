"""The values the sandbox is asked with and answers with. No behaviour, no system calls."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, get_args

from sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Language = Literal["python", "javascript", "native"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

MEBIBYTE = 1 << 20


class Level(StrEnum):
    """How much of the sandbox an operator asks for. There is no `none`, and nothing falls back by itself."""

    FULL = "full"
    CONFINED = "confined"

    @classmethod
    def parse(cls, text: str) -> Level:
        """Read an operator's setting; anything but the two names raises `SandboxUnavailable`."""
        try:
            return cls(text)
        except ValueError:
            raise SandboxUnavailable(f"expected sandbox level 'full' or 'confined', got {text!r}") from None

    @classmethod
    def chosen(cls, environ: Mapping[str, str] | None = None) -> Level:
        """The operator's choice, CRAPETTE_SANDBOX; `full` where nothing is said."""
        return cls.parse((os.environ if environ is None else environ).get("CRAPETTE_SANDBOX") or cls.FULL)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot may use. Sizes in bytes, times in seconds."""

    memory_bytes: int = 512 * MEBIBYTE
    """Address space for Python, writable data for node and native programs (they reserve far more)."""
    cpu_seconds: int = 600
    """Processor time of all its threads from start to end: the fence behind the referee's clock."""
    start_seconds: float = 10.0
    """Wall time for the sandbox itself to stand; the host's affair, never charged to a bot."""
    stderr_bytes: int = 64 << 10
    """How much of its standard error is kept, of all it writes: the first quarter and the latest rest."""
    line_bytes: int = 64 << 10
    """Longest line it may send, newline included."""


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's files in a directory of their own, and which of them to start (a path inside `directory`)."""

    directory: Path
    language: Language
    entry: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attestation:
    """Proof that the layers stand: what we saw from outside and what the stub tried from inside."""

    level: Level
    host_pid: int
    landlock_abi: int
    filters: int
    """Seccomp filters the kernel counts on the process."""
    namespaces: tuple[str, ...]
    """Namespaces that differ from ours, by name; empty at `confined`."""
    denied: tuple[str, ...]
    """Attempts of the stub that were refused, as they had to be."""
    warnings: tuple[str, ...] = ()
    own_root: bool = False
    """Whether it sees nothing of the host's disks: not even which names exist."""

    def as_dict(self) -> dict[str, object]:
        """Plain data for a record or a page."""
        return {
            "level": self.level.value,
            "landlock_abi": self.landlock_abi,
            "filters": self.filters,
            "namespaces": list(self.namespaces),
            "denied": list(self.denied),
            "own_root": self.own_root,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's process ended and what it had used by then."""

    code: int | None
    """Exit status, or None when a signal ended it."""
    signal: int | None
    """The signal that ended it, ours (SIGKILL) or its own."""
    cpu_ns: int
    max_rss_kb: int
    stderr: bytes = field(repr=False)
    killed: bool = False
    """True when it was we who ended it."""
    cause: Literal["exit", "crash", "memory", "cpu", "forbidden", "killed", "host"] = "exit"
    words: str = ""
    """One clause for people: "exited with status 1", "was killed by SIGSEGV"."""
    stderr_bytes: int = 0
    """How much it wrote to standard error in all; `stderr` says where something was left out."""
    proved: bool = False
    """Of the cause "host": whether the bot's own cgroup proves it, or only its size speaks for it."""
