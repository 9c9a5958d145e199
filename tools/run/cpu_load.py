"""How busy the processors of this machine are, whoever keeps them so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

STAT = Path("/proc/stat")


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
