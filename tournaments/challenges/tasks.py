"""Celery tasks of challenges."""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from tournaments.challenges import answers


@shared_task(name="challenges.expire", **RESENT)
def expire() -> None:
    """Close challenges that nobody answered, and forget old ones."""
    answers.expire_due()
    answers.forget_old()
