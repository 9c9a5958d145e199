"""Lowers a process's priority, and ends it with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def step_back(nice: int) -> None:
    """Lower the priority by this much, without the scheduler's bonus for processes that often sleep."""
    os.nice(nice)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def end_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends. Call this first in a forked child."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
