"""What befell a process, noted by itself for the operator's page: it started, stood still, lost the database.

A process that has lost the database cannot write that down. It remembers the first error (`remember`), and
whoever writes its heartbeats notes it when the database answers again (`note_remembered`).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from arena.web.cache.values import forget_with
from arena.web.database import database_clock
from arena.web.models import Incident

if TYPE_CHECKING:
    from django.db.models import QuerySet

log = logging.getLogger(__name__)

LATELY: Final = timedelta(days=1)
SHOWN: Final = 50
LONGEST: Final = 200
STILL_SECONDS: Final = 30.0
"""A process that was not heard of for so long lost its games: leases last no longer."""
JUMP_SECONDS: Final = 2.0
"""A clock that jumps further makes leases too long or too short."""


@dataclass(slots=True)
class _Trouble:
    """A database that did not answer: since when, how often, and what the first error said."""

    since: float
    until: float
    count: int
    words: str


class _Remembered:
    """What this process could not note yet."""

    lock = threading.Lock()
    trouble: _Trouble | None = None

    @classmethod
    def forget(cls) -> None:
        """Begin again."""
        cls.trouble = None


forget_with(_Remembered.forget)


def note(kind: Incident.Kind, process: str, detail: str = "") -> bool:
    """Note what befell a process; returns whether the database took it. If it does not answer, so be it."""
    try:
        Incident.objects.create(kind=kind, process=process[:150], detail=detail[:300])
    except DatabaseError as error:
        log.warning("the database took no note of %s, %s: %s", process, kind, error)
        return False
    return True


def note_start(name: str) -> None:
    """Note that this process starts, without waiting for the database."""

    def noting() -> None:
        note(Incident.Kind.STARTED, f"{name}@{settings.HOST_NAME}:{os.getpid()}")
        connection.close()

    threading.Thread(target=noting, name="note of the start", daemon=True).start()


def remember(error: Exception) -> None:
    """Remember that the database did not answer this process."""
    now = time.monotonic()
    words = (str(error).strip().splitlines() or [type(error).__name__])[0][:LONGEST]
    with _Remembered.lock:
        known = _Remembered.trouble
        if known is None:
            _Remembered.trouble = _Trouble(now, now, 1, words)
        else:
            known.until, known.count = now, known.count + 1


def note_remembered(process: str) -> None:
    """Note what this process remembered, now that the database answers."""
    with _Remembered.lock:
        known, _Remembered.trouble = _Remembered.trouble, None
    if known is not None:
        times = (
            "once" if known.count == 1 else f"{known.count} times within {known.until - known.since:.0f} s"
        )
        if not note(Incident.Kind.DATABASE, process, f"{times}, the first time: {known.words}"):
            _remember_again(known)


def _remember_again(known: _Trouble) -> None:
    """Keep what could not be noted, together with what came meanwhile."""
    with _Remembered.lock:
        later, _Remembered.trouble = _Remembered.trouble, known
        if later is not None:
            known.until, known.count = later.until, known.count + later.count


def lately() -> QuerySet[Incident]:
    """The newest incidents of the last day."""
    return Incident.objects.filter(at__gt=database_clock.now() - LATELY)[:SHOWN]


class Pulse:
    """Compares the moments of a process's heartbeats, which are a few seconds apart.

    `monotonic` is a clock that runs on whatever is set, `wall` the one that leases are written by.
    """

    def __init__(self, monotonic: float, wall: float) -> None:
        self._monotonic, self._wall = monotonic, wall

    def beat(self, monotonic: float, wall: float) -> list[tuple[Incident.Kind, str]]:
        """What happened to the process since its last heartbeat, besides waiting."""
        passed, told = monotonic - self._monotonic, wall - self._wall
        self._monotonic, self._wall = monotonic, wall
        found = []
        if passed > STILL_SECONDS:
            found.append((Incident.Kind.STILL, f"for {passed:.0f} s"))
        if abs(told - passed) > JUMP_SECONDS:
            found.append((Incident.Kind.CLOCK, f"by {told - passed:+.0f} s"))
        return found
