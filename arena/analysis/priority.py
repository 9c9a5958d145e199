"""How a process yields to others, and ends with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

PR_SET_PDEATHSIG: Final = 1


def step_back(nice: int) -> None:
    """Yield to pages: a priority lower by so much than now, and none of the favours of who often sleeps."""
    os.nice(nice)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def end_with_parent(parent: int) -> None:
    """Be killed when the parent ends, also if it is killed; call first in a forked child."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
