"""Gives each bot a memory cgroup of its own, if the operator provides one to divide.

The kernel then counts everything a bot holds. CRAPETTE_CGROUP names a directory of version 2 (or 1) that the
runner may write to. Each bot gets a group in there, with a limit (and no swap in version 2). The kernel's
counter in it says whether the limit ended the bot.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import proc
from sandbox.errors import SandboxUnavailable
from sandbox.exit_causes import MemoryEvents

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTING = "CRAPETTE_CGROUP"
REMOVE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class CgroupVersion:
    """The file names of one version of cgroups."""

    limit: str
    swap: str
    """Missing where swap is not counted. In version 1 it would keep the kernel from counting failures."""
    events: str
    failures: str = ""
    """Version 1 counts in a file of its own how often the limit was reached."""


VERSIONS = (
    CgroupVersion("memory.max", "memory.swap.max", "memory.events"),
    CgroupVersion("memory.limit_in_bytes", "", "memory.oom_control", "memory.failcnt"),
)


@dataclass(frozen=True, slots=True)
class Group:
    """One bot's cgroup."""

    path: Path
    version: CgroupVersion

    def add(self, pid: int) -> None:
        """Put a process in it. Raises `SandboxUnavailable` if that is not allowed."""
        try:
            (self.path / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            raise _unusable(self.path.parent, error) from error

    def events(self) -> MemoryEvents:
        """Return the kernel's counts: how often the group was full, and how many processes were ended."""
        counted = MemoryEvents.parse(proc.read(str(self.path / self.version.events)))
        if self.version.failures:
            failures = proc.number(proc.read(str(self.path / self.version.failures)))
            counted = replace(counted, oom=failures)
        return counted

    def remove(self) -> None:
        """Remove the group, once the kernel has released its last process."""
        remove(self.path, REMOVE_SECONDS)


def remove(path: Path, seconds: float) -> None:
    """Remove a cgroup, once the kernel has released its last process; give up after so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            path.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return


def operator_folder(environ: Mapping[str, str]) -> Path | None:
    """Return the operator's directory, or None."""
    return Path(environ[SETTING]) if environ.get(SETTING) else None


def make(parent: Path, limit: int) -> Group:
    """Create a group in `parent` with a limit in bytes. Raises `SandboxUnavailable` on failure."""
    path = parent / f"bot-{os.getpid()}-{os.urandom(6).hex()}"
    try:
        control = parent / "cgroup.subtree_control"
        if control.exists() and "memory" not in control.read_text().split():
            control.write_text("+memory")
        path.mkdir()
    except OSError as error:
        raise _unusable(parent, error) from error
    try:
        version = next(version for version in VERSIONS if (path / version.limit).exists())
        (path / version.limit).write_text(str(limit))
        if version.swap and (path / version.swap).exists():
            (path / version.swap).write_text("0")
    except StopIteration:
        path.rmdir()
        raise SandboxUnavailable(
            f"the cgroup {parent} does not count memory", "delegate the memory controller to it"
        ) from None
    except OSError as error:
        path.rmdir()
        raise _unusable(parent, error) from error
    return Group(path, version)


def _unusable(parent: Path, error: OSError) -> SandboxUnavailable:
    return SandboxUnavailable(
        f"the cgroup {parent} cannot be used: {error}",
        f"let the runner's uid write it and run the worker inside it, or leave {SETTING} empty",
    )
