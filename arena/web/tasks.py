"""The heartbeat's task, sent by beat to every queue, and how tasks meet a database that is away."""

from typing import Any, Final

from django.db import InterfaceError, OperationalError

from arena.celery import shared_task
from arena.web.database import database_clock
from arena.web.models import Heartbeat

RESENT: Final[dict[str, Any]] = {
    "autoretry_for": (OperationalError, InterfaceError),
    "retry_backoff": 1,
    "retry_backoff_max": 30,
    "max_retries": 8,
}
"""Options of a task that a restart of the database must not lose: it is sent again, for about two minutes."""


@shared_task(name="common.heartbeat")
def heartbeat(queue: str) -> None:
    """Note that the queue is served."""
    now = database_clock.now()
    if not Heartbeat.objects.filter(name=queue).update(beaten_at=now):
        Heartbeat.objects.bulk_create([Heartbeat(name=queue, beaten_at=now)], ignore_conflicts=True)
