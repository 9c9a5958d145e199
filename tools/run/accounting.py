"""Counts processor time: of the whole machine, and of a step, killed sites and orphaned bots included.

The kernel counts a step's for a cgroup of its own, which takes the right to make one (root has it, mostly).
Without that right, only what the step waited for is counted.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sandbox.walls import cgroup

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMBERSHIPS = Path("/proc/self/cgroup")
MOUNTS = Path("/proc/self/mounts")
MEMBERS = "cgroup.procs"
NANOSECONDS, MICROSECONDS = 1e-9, 1e-6
REMOVE_SECONDS = 2.0
STAT = Path("/proc/stat")


@dataclass(frozen=True)
class Group:
    """A cgroup that counts the processor time of every process that was ever in it."""

    path: Path

    @property
    def entrance(self) -> Path:
        """The file that takes the number of a process to count; all that it starts is counted with it."""
        return self.path / MEMBERS

    def seconds(self) -> float:
        """The seconds that processors spent on its processes so far, in version 1 or 2 of cgroups."""
        if (usage := self.path / "cpuacct.usage").exists():
            return int(usage.read_text()) * NANOSECONDS
        counts = dict(line.split() for line in (self.path / "cpu.stat").read_text().splitlines())
        return int(counts["usage_usec"]) * MICROSECONDS

    def counts(self) -> bool:
        """Whether it can say what it counted."""
        try:
            self.seconds()
        except (OSError, KeyError, ValueError):
            return False
        return True

    def remove(self) -> None:
        """Remove the group, once the kernel has released its last process."""
        cgroup.remove(self.path, REMOVE_SECONDS)


def _own_groups() -> Iterator[Path]:
    """The cgroups that count this process's time: of version 1, then of version 2."""
    own = dict(line.split(":", 2)[1:] for line in MEMBERSHIPS.read_text().splitlines())
    mounts = [line.split() for line in MOUNTS.read_text().splitlines()]
    for _, place, kind, options, *_ in mounts:
        for names, inside in own.items():
            if kind == "cgroup" and "cpuacct" in names.split(",") and "cpuacct" in options.split(","):
                yield Path(place, inside.lstrip("/"))
    yield from (Path(place, own[""].lstrip("/")) for _, place, kind, *_ in mounts if kind == "cgroup2")


@contextlib.contextmanager
def counting() -> Iterator[Group | None]:
    """A group for one step while it lasts; None where we may not make one."""
    group = _made()
    try:
        yield group
    finally:
        if group:
            group.remove()


def _made() -> Group | None:
    with contextlib.suppress(OSError, KeyError, ValueError):
        for parent in _own_groups():
            group = Group(parent / f"crapette-step-{os.getpid()}-{os.urandom(4).hex()}")
            with contextlib.suppress(OSError):
                group.path.mkdir()
                if group.counts():
                    return group
                # Waits for the last process of a group, and this one never had any.
                group.path.rmdir()
    return None


class Ticks(NamedTuple):
    """Time of all processors since the machine started, in the kernel's ticks."""

    all: int
    idle: int


def ticks() -> Ticks:
    """Return the time that the processors had so far, and how much of it they did nothing (proc(5))."""
    numbers = [int(word) for word in STAT.read_text().splitlines()[0].split()[1:9]]
    idle, waiting_for_disks = numbers[3:5]
    return Ticks(sum(numbers), idle + waiting_for_disks)


def busy(begun: Ticks, ended: Ticks) -> float:
    """Return the share of the time between in which the processors did something, from 0 to 1."""
    return 1 - (ended.idle - begun.idle) / max(ended.all - begun.all, 1)


def seconds(begun: Ticks, ended: Ticks) -> float:
    """Return the seconds that all processors together did something in the time between."""
    worked = (ended.all - ended.idle) - (begun.all - begun.idle)
    return worked / os.sysconf("SC_CLK_TCK")
