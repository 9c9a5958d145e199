"""Lowers a process's priority."""

from __future__ import annotations

import os
import time

from sandbox.autogroup import TOO_SOON_SECONDS, set_group_nice


def step_back(nice: int) -> None:
    """Lower the priority by this much, without the scheduler's bonus for processes that often sleep."""
    os.nice(nice)
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def step_back_together(nice: int) -> None:
    """Step back, and with this process all that it starts, into a session of their own.

    Raises PermissionError in the first process of a session. `sandbox.autogroup` says what sessions change.
    """
    os.setsid()
    step_back(nice)
    while not set_group_nice(os.getpid(), nice):
        time.sleep(TOO_SOON_SECONDS)
