"""Lowers a process's priority, and ends it with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from typing import Final

from sandbox.yielding import TOO_SOON_SECONDS, set_group_nice

PR_SET_PDEATHSIG: Final = 1


def step_back(nice: int) -> None:
    """Lower the priority by this much, without the scheduler's bonus for processes that often sleep."""
    os.nice(nice)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def step_back_together(nice: int) -> None:
    """Step back, and with this process all that it starts, into a session of their own.

    Raises PermissionError in the first process of a session. See `sandbox.yielding` for what sessions change.
    """
    os.setsid()
    step_back(nice)
    while not set_group_nice(os.getpid(), nice):
        time.sleep(TOO_SOON_SECONDS)


def end_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends. Call this first in a forked child."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
