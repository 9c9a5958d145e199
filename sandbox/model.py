"""The values that go into and come out of the sandbox. No behaviour, no system calls."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, get_args

from sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Language = Literal["python", "python-onnx", "javascript", "wasm", "native"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
PYTHONS = frozenset({"python", "python-onnx"})
"""The languages whose bots the stub itself becomes: one process, one thread."""
NODES = frozenset({"javascript", "wasm"})
"""The languages whose bots node runs."""
WASM_RUNNER = "sandbox/wasm/run.cjs"
"""What node runs to become a WebAssembly bot, from the top of the project or of what bots see."""

MEBIBYTE = 1 << 20


class Level(StrEnum):
    """The level of sandbox an operator asks for. There is no `none`, and no automatic fallback."""

    FULL = "full"
    CONFINED = "confined"

    @classmethod
    def parse(cls, text: str) -> Level:
        """Parse an operator's setting. Raises `SandboxUnavailable` for anything but the two names."""
        try:
            return cls(text)
        except ValueError:
            raise SandboxUnavailable(f"expected sandbox level 'full' or 'confined', got {text!r}") from None

    @classmethod
    def of_operator(cls, environ: Mapping[str, str] | None = None) -> Level:
        """The operator's choice in CRAPETTE_SANDBOX; the default is `full`."""
        return cls.parse((os.environ if environ is None else environ).get("CRAPETTE_SANDBOX") or cls.FULL)


@dataclass(frozen=True, slots=True)
class BotLimits:
    """What one bot may use. Sizes in bytes, times in seconds."""

    memory_bytes: int = 512 * MEBIBYTE
    """Address space for Python, writable data for node and native programs (they reserve far more)."""
    cpu_seconds: int = 600
    """Processor time of all its threads from start to end: the fence behind the referee's clock."""
    start_seconds: float = 10.0
    """Wall time for setting up the sandbox itself. It is never charged to a bot."""
    stderr_bytes: int = 64 << 10
    """How many bytes of its standard error are kept: a quarter from the start, the rest from the end."""
    line_bytes: int = 64 << 10
    """The longest line it may send, including the newline."""


def memory_of(language: str) -> int:
    """The bytes of memory that a bot of this language may use."""
    return (1024 if language == "python-onnx" else 512) * MEBIBYTE


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's files in a directory of their own, and which of them to start (a path inside `directory`)."""

    directory: Path
    language: Language
    entry: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attestation:
    """Proof that the layers hold: what we saw from outside, and what the stub tried from inside."""

    level: Level
    host_pid: int
    landlock_abi: int
    filters: int
    """Seccomp filters the kernel counts on the process."""
    namespaces: tuple[str, ...]
    """Namespaces that differ from ours, by name; empty at `confined`."""
    denied: tuple[str, ...]
    """The stub's attempts, all of which were refused as they should be."""
    warnings: tuple[str, ...] = ()
    own_root: bool = False
    """Whether it sees nothing of the host's disks, not even which names exist."""

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
