"""Celery tasks of challenges."""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from tournaments.challenges import services


@shared_task(name="challenges.expire", **RESENT)
def expire() -> None:
    """Close challenges that nobody answered, and forget old ones."""
    services.expire_due()
    services.forget_old()
