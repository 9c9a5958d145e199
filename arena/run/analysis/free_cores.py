"""How many cores have nothing else to do: luck that is only shown is measured on those."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Final

COUNTED: Final = Path("/proc/stat")
LATEST: Final = timedelta(seconds=25)
"""How long luck that is only shown waits for a free core: games that somebody waits for come first."""
ENOUGH: Final = 0.5
"""So many cores free are one to take. Games leave less than that between them."""
SECONDS: Final = 1.0
"""The kernel counts idle time in hundredths of a second, so a shorter time says little."""


class FreeCores:
    """The cores that nobody but this process used between two looks, on average."""

    def __init__(self) -> None:
        self._last = _counted()
        self._free = 0.0

    def look(self) -> float:
        """Return how many were free until now; within `SECONDS` of the last look, what that one found."""
        at, idle = _counted()
        passed = at - self._last[0]
        if passed >= SECONDS:
            self._free = (idle - self._last[1]) / passed
            self._last = at, idle
        return self._free


def _counted() -> tuple[float, float]:
    """The time, and the seconds in which cores were idle or waited for a disk, or worked for this process.

    The line of all cores is described in proc_stat(5).
    """
    ticks = COUNTED.read_text(encoding="ascii").split(maxsplit=6)[4:6]
    return time.monotonic(), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + time.process_time()
