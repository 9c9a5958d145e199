"""Celery's workers as threads: of the embedded site's process, or of a worker process in production.

Four of them, so that a long queue of games never delays a person at a table, a sweep or the check of an
upload: one for games, as many at once as the settings say, one for bots that answer persons, one for sums
that nothing waits for, and one for everything else. A task that plays a game, or asks a bot, only supervises
a process of its own.
"""

import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

from celery.beat import EmbeddedService, Scheduler
from celery.platforms import EX_OK
from celery.worker import state
from django.conf import settings

from arena.celery import app
from arena.common import stopping
from arena.common.tasks import heartbeat

OTHER_TASKS_AT_ONCE = 4
ANSWERS_AT_ONCE = 4
STOP_SECONDS = 8.0


class Workers:
    """The worker threads of this process."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._beat: Any = None

    def start(self, *, beat: bool, timeout: float = 20.0) -> None:
        """Start the workers, and beat if it has no process of its own; returns when they take tasks."""
        for queue, concurrency in (
            (settings.CELERY_TASK_DEFAULT_QUEUE, OTHER_TASKS_AT_ONCE),
            (settings.GAMES_QUEUE, settings.GAMES_AT_ONCE),
            (settings.FRIENDLY_QUEUE, ANSWERS_AT_ONCE),
            (settings.ANALYSIS_QUEUE, 1),
        ):
            ready = threading.Event()
            self._start_controller(queue, concurrency, ready.set)
            # One after the other: a controller's choice of queues is kept in the application, and is read
            # when its consumer starts.
            if not ready.wait(timeout):
                raise RuntimeError(f"expected the worker of {queue!r} to be ready within {timeout:.0f} s")
        if beat:
            self._beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)
            self._beat.start()
        # The first word of life now, and not only when beat's first period is over.
        heartbeat.delay(settings.CELERY_TASK_DEFAULT_QUEUE)

    def _start_controller(self, queue: str, concurrency: int, ready: Callable[[], None]) -> None:
        """A WorkController in a thread of its own (``app.Worker`` would take over stdout and signals)."""
        controller = app.WorkController(
            hostname=f"{queue}@{socket.gethostname()}-{os.getpid()}",
            pool="threads",
            concurrency=concurrency,
            queues=[queue],
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            # Kombu keeps one event loop for the whole process: on Redis the controllers' threads would read
            # one another's connections. Without it each blocks on a connection of its own.
            use_eventloop=False,
            ready_callback=lambda _consumer: ready(),
        )
        thread = threading.Thread(target=controller.start, name=f"worker-{queue}", daemon=True)
        thread.start()
        self._threads.append(thread)

    def ended(self) -> list[str]:
        """The queues that nobody takes tasks from any more, before :meth:`stop` by a fault only."""
        return [thread.name.removeprefix("worker-") for thread in self._threads if not thread.is_alive()]

    def stop(self, timeout: float = STOP_SECONDS) -> bool:
        """Take no more tasks, tell running games to stop, wait; False when some did not in time."""
        stopping.announce()
        if self._beat is not None:
            self._beat.service.stop()
        # Each controller ends itself at its next turn: ended from here, its loop would read closed sockets.
        state.should_stop = EX_OK  # type: ignore[assignment]  # celery-types knows its first value only
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)
