"""Messages to workers. A message only says "look there": what is to be done, the database knows."""

import logging

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)


def send(task: str, *arguments: object, delay_seconds: float = 0) -> None:
    """Send a message that asks for a task.

    While the broker is away messages are lost. What they ask for is asked for again by the sweep, and as soon
    as a worker has found the broker again; whoever sends is not held up.
    """
    try:
        current_app.send_task(task, args=list(arguments), countdown=delay_seconds or None)
    except OperationalError as error:
        log.warning("no broker took a message of %s: %s", task, error)
