"""The consumer of one queue: a Celery worker in a thread, with an application of its own."""

import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from celery import bootsteps
from celery.signals import task_postrun, task_prerun, task_received
from celery.worker.loops import synloop
from django.db import close_old_connections
from kombu.exceptions import ChannelError, OperationalError

from arena.celery import application_of

log = logging.getLogger("arena.run.worker")


class Controller:
    """Takes tasks from one queue, a fixed number at once, and returns to it after every reconnection."""

    def __init__(self, queue: str, at_once: int, reconnected: Callable[[], None]) -> None:
        self.queue = queue
        self.watch = Watch()
        self.ready = threading.Event()
        self._reconnected = reconnected
        self._connections = 0
        self._taken = 0
        self._app = application_of(queue)
        # Celery would close the database's connections before and after each task, and on PostgreSQL a new
        # one costs more than most tasks. Django closes what broke or is old, as between two requests.
        self._app.conf.CELERY_DB_REUSE_MAX = sys.maxsize
        for moment in (task_prerun, task_postrun):
            moment.connect(_close_old_connections)
        self._app.steps["consumer"].add(_step(self._connected))
        # app.Worker would take over stdout and signals.
        self._worker: Any = self._app.WorkController(
            hostname=f"{queue}@{socket.gethostname()}-{os.getpid()}",
            pool="threads",
            concurrency=at_once,
            queues=[queue],
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            # Kombu keeps one event loop for the whole process: on Redis the controllers' threads would read
            # one another's connections. Without it each blocks on a connection of its own.
            use_eventloop=False,
            ready_callback=lambda _consumer: self.ready.set(),
        )
        task_received.connect(self._count, weak=False)
        self.thread = threading.Thread(target=self._worker.start, name=f"worker-{queue}", daemon=True)

    def _count(self, sender: Any, **_: object) -> None:
        if sender is self._worker.consumer:
            self._taken += 1

    def _connected(self, consumer: Any) -> None:
        consumer.loop = prompt_loop(self._room)
        self._connections += 1
        if self._connections > 1:
            log.warning("the queue %s is served again after its connection was lost", self.queue)
            self._reconnected()

    def stuck(self) -> bool:
        """Whether it takes nothing although something waits. Call every few seconds."""
        return self.watch.stuck(self._waiting(), self._taken, room=self._room())

    def _room(self) -> bool:
        """Whether it could take another task now; a consumer that has no connection should have one."""
        consumer = getattr(self._worker.consumer, "task_consumer", None)
        qos = getattr(getattr(consumer, "channel", None), "qos", None)
        return qos is None or bool(qos.can_consume())

    def _waiting(self) -> int | None:
        """How many messages wait in the queue; None if the broker does not answer."""
        link: Any = self._app.connection_for_read()
        try:
            with link:
                link.ensure_connection(max_retries=1, timeout=2)
                return int(link.default_channel.queue_declare(self.queue, passive=True).message_count)
        except ChannelError:
            return 0
        # Once connected, the broker's own errors come as they are.
        except (OperationalError, OSError, *link.connection_errors):
            return None


def _close_old_connections(**_: object) -> None:
    close_old_connections()


def _step(connected: Callable[[Any], None]) -> type[bootsteps.StartStopStep]:
    """A step of a consumer's start, which is gone through again after each reconnection."""

    class Connected(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            connected(parent)

    return Connected


FULL_SECONDS: Final = 0.02
"""How long to wait before looking again whether a thread has become free."""


class Prompt:
    """A connection that waits for events only briefly while the consumer cannot take any."""

    def __init__(self, connection: Any, room: Callable[[], bool]) -> None:
        self._connection = connection
        self._room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def drain_events(self, timeout: float) -> Any:
        """Wait for one event for at most `timeout` seconds; raises TimeoutError if there is none."""
        return self._connection.drain_events(timeout=timeout if self._room() else FULL_SECONDS)


def prompt_loop(room: Callable[[], bool]) -> Callable[..., None]:
    """Celery's blocking loop, looking for room as often as `Prompt` does."""

    def loop(consumer: Any, connection: Any, *arguments: Any, **named: Any) -> None:
        synloop(consumer, Prompt(connection, room), *arguments, **named)

    return loop


STUCK_SECONDS = 30.0


@dataclass(slots=True)
class Watch:
    """Notices that nothing is taken from a queue although something waits there and there is room for it."""

    seconds: float = STUCK_SECONDS
    clock: Callable[[], float] = time.monotonic
    _taken: int = -1
    _since: float | None = field(default=None)

    def stuck(self, waiting: int | None, taken: int, *, room: bool) -> bool:
        """Whether this has gone on too long, by what waits now (None: the broker does not answer), how many
        tasks were taken since the start, and whether another could be taken."""
        moved, self._taken = taken != self._taken, taken
        if moved or not waiting or not room:
            self._since = None
            return False
        if self._since is None:
            self._since = self.clock()
        return self.clock() - self._since >= self.seconds
