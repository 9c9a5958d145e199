"""The floor for any match runner: a line there and back between two Python programs that do nothing else."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from typing import Final

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
    """A child that answers every line with the same line."""

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
