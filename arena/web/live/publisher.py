"""Sends live updates to the groups of the channel layer: the one way in which news leaves a process.

Messages may get lost: pages that miss one catch up from what is stored. So nothing here waits or raises.
Each process keeps one thread with one event loop that sends in order, because `async_to_sync` would open a
loop, and with Redis a connection, for every message. `arena.web.live.rooms` receives what is sent here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from typing import TYPE_CHECKING, Any

from channels.layers import get_channel_layer

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

BACKLOG = 10_000
"""Messages kept while the layer is slow; beyond it news is dropped."""


class Publisher:
    """A thread that sends messages to groups in order."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._queue: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        threading.Thread(target=self._run, name="publisher", daemon=True).start()

    def send(self, group: str, message: Mapping[str, object]) -> None:
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
