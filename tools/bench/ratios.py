"""Rows of the table that says what the arena costs: ratios, each with its gate and its aim.

A bench that has such rows offers ``ratio_rows() -> list[RatioRow]``, which takes at most 90 s, and prints
them by `show` at ``--quick``. Ratios are taken in one run, in turn with what they are measured against, so
that they say the same on a slow host as on a fast one; `HostSpeed` stands beside them and says which it was.
"""

from __future__ import annotations

import os
import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from tools.bench.pingpong import PingPong

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BARE: Final = (getattr(sys, "_base_executable", sys.executable), "-S", "-c", "pass")
"""An interpreter that starts and ends: what no Python program can go below."""
STARTS: Final = 9


@dataclass(frozen=True, slots=True)
class RatioRow:
    """One measure. Small is good where the aim is below the gate, large where it is above.

    ``value`` is None where it could not be measured on this machine; ``about`` says why, or what the ratio
    was taken from. ``gate`` is None for a figure that nothing is asked of.
    """

    measure: str
    value: float | None
    gate: float | None = None
    aim: float | None = None
    about: str = ""

    @property
    def reached(self) -> str:
        """`yes`, `yes, and the aim` or `no`; empty where nothing is asked or nothing was measured."""
        if self.value is None or self.gate is None:
            return ""
        if not self._is_within(self.gate):
            return "no"
        return "yes, and the aim" if self.aim is not None and self._is_within(self.aim) else "yes"

    def _is_within(self, bound: float) -> bool:
        assert self.value is not None and self.gate is not None  # noqa: PT018
        larger_is_better = self.aim is not None and self.aim > self.gate
        return self.value >= bound if larger_is_better else self.value <= bound


@dataclass(frozen=True, slots=True)
class HostSpeed:
    """How fast this machine is now: CPU time, medians."""

    bare_start_ms: float
    """An interpreter that starts and ends (`BARE`)."""
    floor_us: float
    """A line there and back between two Python programs that do nothing else (`pingpong`)."""
    load: float
    cores: int

    @classmethod
    def measure(cls) -> Self:
        """Takes half a second."""
        pingpong = PingPong()
        try:
            floor = statistics.median(pingpong.measure() for _ in range(3))
        finally:
            pingpong.close()
        bare = statistics.median(cpu_ms_of(BARE) for _ in range(STARTS))
        return cls(bare, floor, os.getloadavg()[0], len(os.sched_getaffinity(0)))

    def __str__(self) -> str:
        return (
            f"host: a bare interpreter starts in {self.bare_start_ms:.1f} ms of CPU, a line there and back"
            f" takes {self.floor_us:.1f} µs; {self.cores} cores, load {self.load:.1f}"
        )


def cpu_ms_of(command: Sequence[str]) -> float:
    """Run a program with no output to its end; return the CPU milliseconds that it and its children took.

    Raises RuntimeError if it fails.
    """
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1)]
    pid = os.posix_spawn(command[0], [*command], os.environ, file_actions=quiet)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"expected {command[0]} to end by itself, got status {status}")
    return (used.ru_utime + used.ru_stime) * 1000


def table(rows: Iterable[RatioRow]) -> str:
    """The rows as Markdown."""
    lines = ["| measure | value | gate | aim | reached | from |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row.measure} | {_text(row.value)} | {_text(row.gate)} | {_text(row.aim)} | {row.reached}"
        f" | {row.about} |"
        for row in rows
    ]
    return "\n".join(lines)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def show(rows: Sequence[RatioRow], speed: HostSpeed) -> int:
    """Print the host's speed and the rows; 1 if a gate is missed."""
    sys.stdout.write(f"{speed}\n\n{table(rows)}\n")
    return int(any(row.reached == "no" for row in rows))
