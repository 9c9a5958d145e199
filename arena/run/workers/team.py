"""The worker threads of one process: of the embedded site, or of a worker process in production.

A task only supervises whatever computes or plays; that is done by processes of its own.
"""

import logging
import threading
import time
from typing import Any

from celery.beat import EmbeddedService, Scheduler
from celery.platforms import EX_OK
from celery.worker import state
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connections
from kombu.exceptions import OperationalError

from arena.celery import app
from arena.run.workers.presence import Presence
from arena.run.workers.queue_consumer import Controller
from arena.run.workers.roles import Role
from arena.run.workers.sandbox import Examiner
from arena.web import limits
from arena.web.database import database_clock
from arena.web.processes import shutdown
from arena.web.tasks import heartbeat
from bots.playing.game_process import processes, remote_processes
from friendlies.tables import idle
from tournaments.games.slots import GameSlots, remote_slots
from tournaments.operation.recovery import recover

STOP_SECONDS = 8.0
BEAT_SECONDS = settings.HEARTBEAT_SECONDS / 2
DRAIN_LOOK_SECONDS = 0.2
SETTLE_SECONDS = 1.0
"""After a reconnection the other consumers of this process come back within about this time."""

log = logging.getLogger("arena.run.worker")


class Workers:
    """The worker threads of this process."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self._controllers: list[Controller] = []
        self._slots: list[GameSlots] = []
        self._watchers: list[threading.Thread] = []
        self._presence = Presence(role)
        self.examiner = Examiner()
        self._beat: Any = None
        self._reconnected = threading.Event()
        self._ended: set[str] = set()

    def start(self, *, beat: bool, timeout: float = 20.0) -> None:
        """Start the threads, and beat if it has no process of its own; returns when they take tasks."""
        database_clock.compare()
        if self._role.plays:
            self.examiner.start()
        self._controllers = [
            Controller(queue, at_once, self._reconnected.set) for queue, at_once in self._role.queues.items()
        ]
        for controller in self._controllers:
            controller.thread.start()
        for controller in self._controllers:
            if not controller.ready.wait(timeout):
                raise RuntimeError(f"expected {controller.queue!r} to be served within {timeout:.0f} s")
        self._presence.announce()
        if self._role.plays:
            self._slots = [
                GameSlots(settings.GAMES_AT_ONCE, most=lambda: limits.value("games_at_once_per_host")),
                *remote_slots(most=lambda: limits.value("remote_games")),
            ]
            for slots in self._slots:
                slots.start()
        self.examiner.told_to(self._presence.report_sandbox)
        self._watchers = [
            threading.Thread(target=self._keep_watch, name="the thread that keeps watch", daemon=True),
            threading.Thread(target=self._ask_again, name="the thread that asks again", daemon=True),
        ]
        for thread in self._watchers:
            thread.start()
        if beat:
            self._beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)
            self._beat.start()
        # The first word of life now, and not only when beat's first period is over.
        for queue in self._role.queues:
            heartbeat.apply_async((queue,), queue=queue, priority=settings.HEARTBEAT_PRIORITY)

    def find_ended(self) -> list[str]:
        """What has stopped working; before :meth:`stop`, only a fault does that."""
        gone = {one.queue for one in self._controllers if not one.thread.is_alive()}
        if any(slots.dead() for slots in self._slots):
            gone.add("the threads that play")
        gone |= {thread.name for thread in self._watchers if not thread.is_alive()}
        return sorted(gone | self._ended)

    def _keep_watch(self) -> None:
        """Renew this worker's row, and see whether every consumer takes what waits."""
        while not shutdown.is_announced():
            self._presence.beat()
            self._ended |= {one.queue for one in self._controllers if one.stuck()}
            time.sleep(BEAT_SECONDS)

    def _ask_again(self) -> None:
        """After the broker was lost, ask at once for all that it may have forgotten."""
        while True:
            self._reconnected.wait()
            time.sleep(SETTLE_SECONDS)
            self._reconnected.clear()
            try:
                if self._role.sweeps:
                    log.warning("asked again for what the broker may have lost: %s", recover())
                    idle.take_up(alone=False)
                    self._presence.report_reconnection()
            except (DatabaseError, OperationalError) as error:
                log.warning("what the broker may have lost is left to the next sweep: %s", error)
            finally:
                connections.close_all()

    def drain(self, seconds: float, enough: threading.Event) -> bool:
        """Begin no more games, and wait so long for those under way or until there is `enough`; whether all
        have ended."""
        shutdown.drain()
        self._presence.draining()
        deadline = time.monotonic() + seconds
        ended = not self._slots
        while not ended and not enough.is_set() and time.monotonic() < deadline:
            ended = self._slots_ended(time.monotonic() + DRAIN_LOOK_SECONDS)
        return ended

    def _slots_ended(self, deadline: float) -> bool:
        """Whether all games have ended by then."""
        ended = [slots.stop(deadline) for slots in self._slots]
        return all(ended)

    def stop(self, timeout: float = STOP_SECONDS) -> bool:
        """Stop taking tasks, tell running games to stop, and wait; False when some did not stop in time."""
        shutdown.announce()
        deadline = time.monotonic() + timeout
        if self._beat is not None:
            self._beat.service.stop()
        # Each controller ends itself at its next turn: ended from here, its loop would read closed sockets.
        state.should_stop = EX_OK  # type: ignore[assignment]  # celery-types knows its first value only
        given_back = self._slots_ended(deadline)
        for controller in self._controllers:
            controller.thread.join(max(0.0, deadline - time.monotonic()))
        processes.close()
        remote_processes.close()
        self._presence.leave()
        return given_back and not any(one.thread.is_alive() for one in self._controllers)
