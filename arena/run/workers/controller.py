"""The consumer of one queue: a Celery worker in a thread, with an application of its own."""

import logging
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

from celery import bootsteps
from celery.signals import task_received
from kombu.exceptions import ChannelError, OperationalError

from arena.celery import application_of
from arena.run.workers.loop import prompt_loop
from arena.run.workers.watch import Watch

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
        try:
            with self._app.connection_for_read() as link:
                link.ensure_connection(max_retries=1, timeout=2)
                channel: Any = link.default_channel
                return int(channel.queue_declare(self.queue, passive=True).message_count)
        except ChannelError:
            return 0
        except (OperationalError, OSError):
            return None


def _step(connected: Callable[[Any], None]) -> type[bootsteps.StartStopStep]:
    """A step of a consumer's start, which is gone through again after each reconnection."""

    class Connected(bootsteps.StartStopStep):
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            connected(parent)

    return Connected
