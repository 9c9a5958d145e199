"""Celery tasks of bots."""

from arena.celery import shared_task
from bots import services


@shared_task(name="bots.remove_forgotten")
def remove_forgotten() -> None:
    """Remove unpacked files of bots whose owners have left from this host."""
    services.remove_forgotten()
