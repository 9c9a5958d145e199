"""Messages to workers. A message only says "look there"; the database knows what to do.

Celery and kombu take a process 7 MB and a third of a second, so one whose messages are carried another way
never loads them.
"""

import logging
import threading
from collections.abc import Callable
from functools import cache
from importlib import import_module
from queue import SimpleQueue
from typing import Any, Final

log = logging.getLogger(__name__)

BACKLOG: Final = 10_000
"""Messages that wait for the broker; beyond it they are dropped, and the sweep asks again."""

Carrier = Callable[[str, list[Any], float], object]


class _Carrier:
    """Who carries this process's messages, if not the broker."""

    carrier: Carrier | None = None


def carry_by(carrier: Carrier) -> None:
    """Send messages another way, because this process belongs to a site whose queue is in another process.

    The carrier is given the task's name, its arguments and the seconds to wait.
    """
    _Carrier.carrier = carrier


@cache
def broker() -> Any:
    """The Celery application that sends this process's messages; the first call loads it."""
    return import_module("arena.celery").app


def send_behind() -> None:
    """Send messages from a thread of their own: no page waits for a broker that is slow or away."""
    waiting: SimpleQueue[tuple[str, list[Any], float]] = SimpleQueue()

    def carry(task: str, arguments: list[Any], delay_seconds: float) -> None:
        if waiting.qsize() < BACKLOG:
            waiting.put((task, arguments, delay_seconds))

    def work() -> None:
        assert broker().amqp.queues is not None  # noqa: S101 (asking for them loads more)
        import_module("kombu.transport.redis")
        while True:
            task, arguments, delay_seconds = waiting.get()
            try:
                _send(task, arguments, delay_seconds)
            except Exception:  # one message must not keep the others from being sent
                log.exception("a message of %s was not sent", task)

    threading.Thread(target=work, name="messages", daemon=True).start()
    carry_by(carry)


def send(task: str, *arguments: object, delay_seconds: float = 0) -> None:
    """Send a message that asks for a task.

    While the broker is away, messages are lost, but sending never blocks. The sweep asks again for whatever
    they requested, and so does a worker that has found the broker again.
    """
    if _Carrier.carrier is not None:
        _Carrier.carrier(task, list(arguments), delay_seconds)
    else:
        _send(task, list(arguments), delay_seconds)


def _send(task: str, arguments: list[Any], delay_seconds: float) -> None:
    application = broker()
    try:
        application.send_task(task, args=arguments, countdown=delay_seconds or None)
    except import_module("kombu.exceptions").OperationalError as error:
        log.warning("no broker took a message of %s: %s", task, error)
