"""What a worker process says of itself: a row in the database that it renews as long as it lives."""

import logging
import os
import socket
import threading
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections, connections
from django.utils import timezone

from arena.common.models import Worker
from arena.workers.roles import Role

log = logging.getLogger("arena.worker")

FORGOTTEN = timedelta(hours=1)
"""After so long without a word a worker is no longer missed: whoever watches `/health` has seen it red."""


class Presence:
    """The row of this process's worker."""

    def __init__(self, role: Role) -> None:
        self.host = socket.gethostname()[:100]
        self.name = f"{role.name}@{self.host}:{os.getpid()}"
        self._role = role
        self._sandbox: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._announced = False

    def announce(self) -> None:
        """Say that this worker is here, and forget those of this machine whose process is gone."""
        for row in Worker.objects.filter(host=self.host).exclude(name=self.name):
            if not _alive(row.pid):
                row.delete()
        with self._lock:
            self._announced = True
            self._write()

    def beat(self) -> None:
        """Say that this worker lives; an unreachable database is left for the next time."""
        close_old_connections()
        try:
            with self._lock:
                if self._announced:
                    self._write()
            Worker.objects.filter(beaten_at__lt=timezone.now() - FORGOTTEN).delete()
        except DatabaseError as error:
            log.warning("the database did not take this worker's heartbeat: %s", error)
            connections.close_all()

    def examined(self, sandbox: dict[str, Any]) -> None:
        """Say what this host's sandbox is worth; written with the next heartbeat if not now."""
        with self._lock:
            self._sandbox = sandbox
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

    def _write(self) -> None:
        now = timezone.now()
        if not Worker.objects.filter(name=self.name).update(beaten_at=now, sandbox=self._sandbox):
            Worker.objects.create(
                name=self.name,
                host=self.host,
                pid=os.getpid(),
                queues=list(self._role.queues),
                games_at_once=settings.GAMES_AT_ONCE if self._role.plays else 0,
                sandbox=self._sandbox,
                beaten_at=now,
            )


def _alive(pid: int) -> bool:
    """Whether a process of this machine has this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
