"""CPU time and memory of a running site's processes, including those that have ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

PR_SET_CHILD_SUBREAPER: Final = 36
LOOK_SECONDS: Final = 0.2
GAMES = "games"
"""Referees and the bots they contain: processes that come and go."""


@dataclass(frozen=True, slots=True)
class Usage:
    """CPU seconds and memory in MB (PSS, so that shared pages count once) by role at one moment."""

    cpu: dict[str, float]
    memory: dict[str, float]
    names: dict[str, int] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)
    """Memory of the largest process of each role."""

    def since(self, before: Usage) -> dict[str, float]:
        """CPU seconds by role spent since another moment."""
        return {role: seconds - before.cpu.get(role, 0.0) for role, seconds in self.cpu.items()}


def role_of(words: Sequence[str]) -> str:
    """The part of the site that a command line belongs to; referees, launchers and bots are `games`."""
    line = " ".join(words)
    for role, marks in (
        ("database", ("postgres",)),
        ("broker", ("redis-server",)),
        ("analysis", ("analysis",)),
        ("beat", ("celery", "beat")),
        ("worker", ("arena.run.worker",)),
        ("worker", ("arena.run.embedded.worker",)),
        ("web", ("arena.run.web",)),
        ("site", ("arena.run.embedded",)),
    ):
        if all(mark in line for mark in marks):
            return role
    return GAMES


def measure(roots: Sequence[int]) -> Usage:
    """What these processes and all below them have used so far.

    A process that has ended is in its parent's sum of children. That sum is counted as games, unless the
    parent is part of the analysis, the database or the broker, whose children do the same work as they.
    """
    cpu: dict[str, float] = {GAMES: 0.0}
    memory: dict[str, float] = {}
    names: dict[str, int] = {}
    largest: dict[str, float] = {}
    for process in _all(roots):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            role = role_of(process.cmdline())
            times = process.cpu_times()
            cpu[role] = cpu.get(role, 0.0) + times.user + times.system
            ended = role if role in ("analysis", "database", "broker") else GAMES
            cpu[ended] = cpu.get(ended, 0.0) + times.children_user + times.children_system
            size = process.memory_full_info().pss / 1e6
            memory[role] = memory.get(role, 0.0) + size
            largest[role] = max(largest.get(role, 0.0), size)
            names[role] = names.get(role, 0) + 1
    return Usage(cpu, memory, names, largest)


def _all(roots: Sequence[int]) -> list[psutil.Process]:
    """The processes and their descendants, each once."""
    found: dict[int, psutil.Process] = {}
    for root in roots:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(root)
            found.update((one.pid, one) for one in [process, *process.children(recursive=True)])
    return list(found.values())


class Orphans:
    """Adopts the orphans among this process's descendants, and counts what they used.

    A process adds the times of those it has waited for to its own. When a sandbox is killed, the bot inside
    has no parent left and its time is lost, unless somebody further up adopts it. Only while the block
    lasts: nobody else in this process may wait for a child meanwhile.
    """

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
