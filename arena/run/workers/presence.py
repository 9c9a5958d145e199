"""What a worker process says of itself: a row in the database that it renews as long as it lives."""

from __future__ import annotations

import logging
import os
import platform
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections, connections

import engine
from arena import __version__
from arena.web import limits
from arena.web.database import database_clock
from arena.web.models import Host, Incident, Worker
from arena.web.processes import incidents
from arena.web.processes.incidents import Pulse

if TYPE_CHECKING:
    from arena.run.workers.roles import Role

log = logging.getLogger("arena.run.worker")

FORGOTTEN = timedelta(hours=1)
"""After so long without a word a worker is no longer missed: whoever watches `/health` has seen it red."""

CLOCK_AHEAD_MS = 2_000
"""A clock that is further off is worth a warning. Times are told by the database's, but not in logs."""


class Presence:
    """The row of this process's worker."""

    def __init__(self, role: Role) -> None:
        self.host = settings.HOST_NAME
        self.name = f"{role.name}@{self.host}:{os.getpid()}"
        self._role = role
        self._sandbox: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._announced = False
        self._draining = False
        self._pulse = Pulse(time.monotonic(), time.time())
        self._befell: list[tuple[Incident.Kind, str]] = []

    def announce(self) -> None:
        """Say that this worker and its host are here, and forget this machine's whose process is gone."""
        if self._role.plays:
            announce_host(self.host)
        died = [
            row
            for row in Worker.objects.filter(host=self.host).exclude(name=self.name)
            if not _alive(row.pid)
        ]
        names = ", ".join(row.name for row in died)
        for row in died:
            row.delete()
        with self._lock:
            self._announced = True
            self._write()
        incidents.note(Incident.Kind.STARTED, self.name, f"and found that {names} had died" if died else "")

    def beat(self) -> None:
        """Say that this worker lives; an unreachable database is left for the next time."""
        close_old_connections()
        try:
            with self._lock:
                self._befell += self._pulse.beat(time.monotonic(), time.time())
                database_clock.compare()
                if self._announced:
                    self._write()
                befell, self._befell = self._befell, []
            Worker.objects.filter(beaten_at__lt=database_clock.now() - FORGOTTEN).delete()
            incidents.note_remembered(self.name)
            for kind, detail in befell:
                incidents.note(kind, self.name, detail)
        except DatabaseError as error:
            log.warning("the database did not take this worker's heartbeat: %s", error)
            incidents.remember(error)
            connections.close_all()
        with self._lock:
            # However long the database took to answer, the process did not stand still.
            self._pulse = Pulse(time.monotonic(), time.time())

    def report_sandbox(self, sandbox: dict[str, Any]) -> None:
        """Say what this host's sandbox is worth; written with the next heartbeat if not now."""
        with self._lock:
            self._sandbox = sandbox
        self.beat()

    def report_reconnection(self) -> None:
        """Say that the broker was away."""
        incidents.note(Incident.Kind.BROKER, self.name, "and is back; what waits was asked for again")

    def draining(self) -> None:
        """Say that no game is begun here any more."""
        self._draining = True
        self.beat()

    def leave(self) -> None:
        """Take the row away: an orderly end."""
        with self._lock:
            if not self._announced:
                return
            self._announced = False
            # The last query may lie before a restart of the database.
            close_old_connections()
            try:
                Worker.objects.filter(name=self.name).delete()
            except DatabaseError as error:
                log.warning("the database did not take this worker's leave: %s", error)

    @property
    def _games_at_once(self) -> int:
        if not self._role.plays or self._draining:
            return 0
        return min(settings.GAMES_AT_ONCE, limits.value("games_at_once_per_host"))

    def _write(self) -> None:
        now = database_clock.now()
        if not Worker.objects.filter(name=self.name).update(
            beaten_at=now, sandbox=self._sandbox, games_at_once=self._games_at_once
        ):
            Worker.objects.create(
                name=self.name,
                host=self.host,
                pid=os.getpid(),
                queues=list(self._role.queues),
                games_at_once=self._games_at_once,
                sandbox=self._sandbox,
                beaten_at=now,
            )


def announce_host(name: str) -> None:
    """Write down what this host is worth now. A host that comes back goes on with its spell."""
    speed, clock_ms = measure(), round(database_clock.compare() * 1000)
    now = database_clock.now()
    announced = {
        "cores": os.cpu_count() or 1,
        "speed": speed,
        "release": __version__,
        "rules": engine.RULES_VERSION,
        "versions": {"python": platform.python_version(), "kernel": platform.release()},
        "clock_ms": clock_ms,
        "announced_at": now,
    }
    created = {**announced, "spell_from": now}
    Host.objects.update_or_create(name=name, defaults=announced, create_defaults=created)
    if abs(clock_ms) > CLOCK_AHEAD_MS:
        log.warning("this host's clock is %d ms ahead of the database's", clock_ms)


def _alive(pid: int) -> bool:
    """Whether a process of this machine has this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


RUNS: Final = 7
STEPS: Final = 60_000


def measure() -> float:
    """Return steps of plain Python a microsecond of CPU time: the best of a few short runs.

    It runs in the interpreter that bots in Python run in. CPU time leaves out what other processes take, and
    the best run what they spoil besides, such as caches.
    """
    return STEPS / min(_run() for _ in range(RUNS)) / 1e6


def _run() -> float:
    """Return the CPU seconds of one run."""
    cells = list(range(256))
    begun = time.thread_time()
    state = 1
    for _ in range(STEPS):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        cells[state & 255] ^= cells[state >> 8 & 255]
    return max(time.thread_time() - begun, 1e-6)
