"""Processor time of processes that nobody waits for: bots whose sandbox was ended before they were.

A process adds the times of those it has waited for to its own. When a sandbox is killed, the bot inside has
no parent left and its time is lost, unless somebody further up adopts it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PR_SET_CHILD_SUBREAPER: Final = 36
LOOK_SECONDS: Final = 0.2


class Orphans:
    """Adopts the orphans among this process's descendants, and counts what they used.

    Only while the block lasts: nobody else in this process may wait for a child meanwhile."""

    def __init__(self, own: Callable[[], Collection[int]]) -> None:
        """`own` gives the children that somebody else in this process waits for, asked once."""
        self.seconds = 0.0
        self._own = frozenset(own())
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="orphans", daemon=True)

    def __enter__(self) -> Orphans:
        if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "expected to adopt orphans")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Take in the orphans that have ended. It must cost next to nothing: the site needs the processor."""
        with contextlib.suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid in self._own:
                    self._look_at_all()  # it hides the others until somebody has waited for it
                    return
                self._take(ended.si_pid)

    def _look_at_all(self) -> None:
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.NoSuchProcess, ChildProcessError):
                if child.pid not in self._own and child.status() == psutil.STATUS_ZOMBIE:
                    self._take(child.pid)

    def _take(self, pid: int) -> None:
        _, _, used = os.wait4(pid, 0)
        self.seconds += used.ru_utime + used.ru_stime
