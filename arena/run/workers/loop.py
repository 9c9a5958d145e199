"""Lets a consumer take the next message as soon as a thread of its pool is free.

Celery's blocking loop waits on the broker for two seconds at a time. A consumer whose threads are all busy
asks the broker for nothing in such a wait, so a thread that becomes free in the middle of it stays idle until
its end. A short wait is enough while there is no room, and costs nothing where tasks are short.
"""

from collections.abc import Callable
from typing import Any, Final

from celery.worker.loops import synloop

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
