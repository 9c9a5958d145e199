"""Live updates of games and tournaments, for everyone who watches.

Messages may get lost: pages that miss one catch up from the stored log by number. So nothing here waits or
raises. Each process keeps one thread with one event loop that sends in order, because `async_to_sync` would
open a loop, and with Redis a connection, for every message.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer
from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

logger = logging.getLogger(__name__)

CHUNK = 200
"""Events in one message: about 50 kB."""

BACKLOG = 10_000
"""Messages kept while the layer is slow; beyond it news is dropped."""


class Publisher:
    """A thread that sends messages to groups in order."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._queue: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        threading.Thread(target=self._run, name="publisher", daemon=True).start()

    def send(self, group: str, message: dict[str, Any]) -> None:
        """Queue a message; returns at once, from any thread."""
        if self._queue.qsize() < BACKLOG:
            # A process receives all its groups through one channel, so a message names its group.
            self._loop.call_soon_threadsafe(self._queue.put_nowait, (group, {**message, "group": group}))

    def flush(self, timeout: float = 5.0) -> None:
        """Wait until all that was queued before has been sent."""
        asyncio.run_coroutine_threadsafe(self._queue.join(), self._loop).result(timeout)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._forward())

    async def _forward(self) -> None:
        while True:
            group, message = await self._queue.get()
            try:
                layer = get_channel_layer()
                if layer is not None:
                    await layer.group_send(group, message)
            except Exception as error:  # the layer's troubles are many, and none may stop the news after it
                logger.warning("news for %s was not sent: %s: %s", group, type(error).__name__, error)
            finally:
                self._queue.task_done()


_lock = threading.Lock()
_publisher: Publisher | None = None


def publisher() -> Publisher:
    """Return the publisher of this process; a fork gets its own."""
    global _publisher  # noqa: PLW0603 - one a process is the point
    with _lock:
        if _publisher is None or _publisher.pid != os.getpid():
            _publisher = Publisher()
        return _publisher


def game_group(game_id: UUID | str) -> str:
    """Return the group of everyone who watches a game."""
    return f"game.{game_id}"


def tournament_group(slug: str) -> str:
    """Return the group of everyone who looks at a tournament."""
    return f"tournament.{slug}"


PROGRAMME_GROUP = "programme"
"""Everyone who waits for a game to watch."""


def audience_group(game_id: UUID | str) -> str:
    """Return the group of everyone who looks at a game, being played or over."""
    return f"audience.{game_id}"


def publish_events(game_id: UUID | str, token: int, events: Sequence[dict[str, Any]]) -> None:
    """Send stored events of the attempt with this token, in messages of limited size."""
    for start in range(0, len(events), CHUNK):
        part = list(events[start : start + CHUNK])
        publisher().send(game_group(game_id), {"type": "game.events", "token": token, "events": part})


def publish_begun(game_id: UUID | str, token: int) -> None:
    """Announce that an attempt begins, which makes earlier ones void."""
    publisher().send(game_group(game_id), {"type": "game.begun", "token": token})
    publisher().send(PROGRAMME_GROUP, {"type": "programme.changed"})


def publish_finished(game_id: UUID | str) -> None:
    """Announce that a game has its result."""
    publisher().send(game_group(game_id), {"type": "game.finished"})
    publisher().send(PROGRAMME_GROUP, {"type": "programme.changed"})


def publish_audience(game_id: UUID | str, process: str, count: int) -> None:
    """Announce how many pages look at a game through one serving process."""
    message = {"type": "audience.counted", "process": process, "count": count}
    publisher().send(audience_group(game_id), message)


def publish_changed(slug: str) -> None:
    """Announce that a tournament has changed."""
    publisher().send(tournament_group(slug), {"type": "tournament.changed"})


def changed_on_commit(slug: str) -> None:
    """Announce it once the transaction is committed."""
    transaction.on_commit(lambda: publish_changed(slug))
