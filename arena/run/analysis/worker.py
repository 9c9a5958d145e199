"""One forked worker: claims questions and answers them, sleeps while there are none."""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from django.db import Error as DatabaseError
from django.db import connections

from arena.run.children import end_with_parent
from arena.web.database import database_clock
from friendlies.puzzles.handlers import ANSWERS as PUZZLES
from friendlies.question_handlers import ANSWERS as FRIENDLIES
from sandbox.autogroup import TOO_SOON_SECONDS, set_group_nice
from tournaments.questions.handlers import ANSWERS as TOURNAMENTS
from tournaments.questions.leases import Patience
from tournaments.questions.worker import work_one

if TYPE_CHECKING:
    from types import FrameType

    from tournaments.questions.question_types import QuestionKind

log = logging.getLogger("arena.run.analysis")

SLEEP_SECONDS: Final = 2.0
"""How often to look at the queue, since messages can be lost."""
PATIENCE: Final = timedelta(seconds=2)
"""How long what the arena itself asks waits for more of its kind: the luck of the games of some seconds takes
the database as many statements as that of one."""
LONGEST_WAIT: Final = timedelta(seconds=25)
"""How long luck that is only shown waits for a free core, so that games are played first."""
ENOUGH: Final = 0.5
"""So much of a core counts as a free one. Games that follow each other leave less of both cores idle."""
COUNTED: Final = Path("/proc/stat")
SCHEDULED: Final = Path("/proc/self/schedstat")
LEAST_SECONDS: Final = 1.0
"""The kernel counts idle time in hundredths of a second, so a shorter time says little."""
UNWANTED: Final = 3
"""The exit code of a worker that ended itself in the middle of an answer."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A worker's slot: whether it also works for the arena itself, and how much lower its priority is.

    A `deep` one judges whole games by oracle and does nothing else.
    """

    name: str
    arena: bool
    nice: int
    deep: bool = False


SLOTS: Final = (
    Slot("people", arena=False, nice=0),
    Slot("arena", arena=True, nice=3),
    Slot("depth", arena=False, nice=5, deep=True),
)


def work(slot: Slot, wake: int, parent: int) -> NoReturn:
    """Work until told to end. Anything that comes through the pipe `wake` means there may be work."""
    end_with_parent(parent)
    signal.signal(signal.SIGTERM, _end)
    step_back(slot.nice)
    name = f"{slot.name}@{socket.gethostname()}:{os.getpid()}"
    cores = FreeCores()

    def patience() -> Patience:
        return Patience(PATIENCE, PATIENCE if cores.measure() >= ENOUGH else LONGEST_WAIT)

    while True:
        try:
            database_clock.compare()
            while work_one(
                name, ANSWERS, arena=slot.arena, deep=slot.deep, patience=patience(), end=_give_up
            ):
                pass
        except DatabaseError:
            log.warning("the database did not say what waits", exc_info=True)
            connections.close_all()
            time.sleep(SLEEP_SECONDS)
        if select.select([wake], [], [], SLEEP_SECONDS)[0]:
            os.read(wake, 4096)


def _end(number: int, frame: FrameType | None) -> None:  # the signature of a signal handler
    """Give the question back on the way out."""
    raise SystemExit(0)


def _give_up() -> None:
    os._exit(UNWANTED)


ANSWERS: Final[dict[str, QuestionKind]] = {**TOURNAMENTS, **FRIENDLIES, **PUZZLES}


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


class FreeCores:
    """The cores that nobody else wanted between two calls, on average: idle or used by this process alone."""

    def __init__(self) -> None:
        self._last = _counted()
        self._free = 0.0

    def measure(self) -> float:
        """Return how many were free since the last call; the same again within `LEAST_SECONDS` of it."""
        at, idle = _counted()
        passed = at - self._last[0]
        if passed >= LEAST_SECONDS:
            self._free = (idle - self._last[1]) / passed
            self._last = at, idle
        return self._free


def _counted() -> tuple[float, float]:
    """The time, and the seconds in which cores were idle or waited for a disk, or worked for this process.

    The line of all cores is described in proc_stat(5). What this process has used counts less the time in
    which it waited for a core (Documentation/scheduler/sched-stats.rst): then others wanted that core, too.
    """
    ticks = COUNTED.read_text(encoding="ascii").split(maxsplit=6)[4:6]
    used = waited = 0
    with suppress(OSError):  # not every kernel tells
        used, waited = map(int, SCHEDULED.read_text(encoding="ascii").split()[:2])
    return time.monotonic(), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + (used - waited) / 1e9
