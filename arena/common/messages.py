"""Messages to workers. A message only says "look there"; the database knows what to do.

Celery and kombu take a process 7 MB and a third of a second, so one whose messages are carried another way
never loads them.
"""

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

Carrier = Callable[[str, list[Any], float], object]


class _Process:
    """Who carries this process's messages, if not the broker."""

    carrier: Carrier | None = None


def carry_by(carrier: Carrier) -> None:
    """Send messages another way, because this process belongs to a site whose queue is in another process.

    The carrier is given the task's name, its arguments and the seconds to wait.
    """
    _Process.carrier = carrier


@cache
def broker() -> Any:
    """The Celery application that sends this process's messages; the first call loads it."""
    return import_module("arena.celery").app


def send(task: str, *arguments: object, delay_seconds: float = 0) -> None:
    """Send a message that asks for a task.

    While the broker is away, messages are lost, but sending never blocks. The sweep asks again for whatever
    they requested, and so does a worker that has found the broker again.
    """
    if _Process.carrier is not None:
        _Process.carrier(task, list(arguments), delay_seconds)
        return
    application = broker()
    try:
        application.send_task(task, args=list(arguments), countdown=delay_seconds or None)
    except import_module("kombu.exceptions").OperationalError as error:
        log.warning("no broker took a message of %s: %s", task, error)
