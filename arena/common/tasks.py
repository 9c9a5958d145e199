"""The heartbeat's task, sent by beat to every queue."""

from celery import shared_task
from django.utils import timezone

from arena.common.models import Heartbeat


@shared_task(name="common.heartbeat")
def heartbeat(queue: str) -> None:
    """Note that a worker of this queue is alive."""
    Heartbeat.objects.update_or_create(name=queue, defaults={"beaten_at": timezone.now()})
