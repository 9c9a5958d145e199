"""How fast this host's cores are, for clocks that are fair across unlike hosts."""

from __future__ import annotations

import time
from typing import Final

RUNS: Final = 7
STEPS: Final = 60_000


def measure() -> float:
    """Return steps of plain Python a microsecond of CPU time: the best of a few short runs.

    It runs in the interpreter that bots in Python run in. CPU time leaves out what other processes take, and
    the best run what they spoil besides, such as caches.
    """
    return STEPS / min(_run() for _ in range(RUNS)) / 1e6


def _run() -> float:
    """Return the CPU seconds of one run."""
    cells = list(range(256))
    begun = time.thread_time()
    state = 1
    for _ in range(STEPS):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        cells[state & 255] ^= cells[state >> 8 & 255]
    return max(time.thread_time() - begun, 1e-6)
