"""How fast this machine is now, and how to keep what is measured on one core of it.

Times are compared as multiples of a bare interpreter's start, and messages of a line there
and back. On one core, the parts of what is measured do not wake each other across cores.
"""

from __future__ import annotations

import contextlib
import os
import select
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BARE: Final = (getattr(sys, "_base_executable", sys.executable), "-S", "-c", "pass")
"""An interpreter that starts and ends: what no Python program can go below."""
STARTS: Final = 9
ROUNDS: Final = 4000
_ANSWER: Final = b'{"id":"3f9c01ab","moves":["t1-t2"]}\n'
_QUESTION: Final = (
    b'{"type":"move","id":"3f9c01ab","ply":100,"clocks":[60000,60000],"legal":["draw","t1-t2","t2-t7"]}\n'
)
_CHILD: Final = f"""
import os
while os.read(0, 65536):
    os.write(1, {_ANSWER!r})
"""


class PingPong:
    """The floor of any match runner: a line there and back between two programs that do nothing else."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self.measure()  # the first times are slower

    def measure(self) -> float:
        """Return CPU microseconds a round trip, of both sides."""
        child = self._child
        assert child.stdin is not None and child.stdout is not None  # noqa: PT018
        there, back = child.stdin.fileno(), child.stdout.fileno()
        waiter = select.poll()
        waiter.register(back, select.POLLIN)
        before = self._cpu_ns()
        for _ in range(ROUNDS):
            os.write(there, _QUESTION)
            waiter.poll(1000)
            os.read(back, 65536)
        return (self._cpu_ns() - before) / ROUNDS / 1000

    def close(self) -> None:
        """End the child."""
        self._child.kill()
        self._child.communicate()

    def _cpu_ns(self) -> int:
        return time.process_time_ns() + time.clock_gettime_ns((~self._child.pid << 3) | 2)


@dataclass(frozen=True, slots=True)
class HostSpeed:
    """How fast this machine is now: CPU time, medians."""

    bare_start_ms: float
    """An interpreter that starts and ends (`BARE`)."""
    floor_us: float
    """A line there and back between two Python programs that do nothing else (`PingPong`)."""
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


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Keep this process, and all it starts meanwhile for good, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
