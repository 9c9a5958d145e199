"""Messages to workers. A message only says "look there"; the database knows what to do."""

import logging
from collections.abc import Callable
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

Carrier = Callable[[str, list[Any], float], object]


class _Carrier:
    """Who carries this process's messages, if not the broker."""

    carrier: Carrier | None = None


def carry_by(carrier: Carrier) -> None:
    """Send messages another way, because this process belongs to a site whose queue is in another process.

    The carrier is given the task's name, its arguments and the seconds to wait.
    """
    _Carrier.carrier = carrier


def send(task: str, *arguments: object, delay_seconds: float = 0) -> None:
    """Send a message that asks for a task.

    While the broker is away, messages are lost, but sending never blocks. The sweep asks again for whatever
    they requested, and so does a worker that has found the broker again.
    """
    if _Carrier.carrier is not None:
        _Carrier.carrier(task, list(arguments), delay_seconds)
        return
    try:
        current_app.send_task(task, args=list(arguments), countdown=delay_seconds or None)
    except OperationalError as error:
        log.warning("no broker took a message of %s: %s", task, error)
