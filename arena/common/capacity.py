"""How many games all workers together play at once."""

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.utils import timezone

from arena.common.models import Worker

SILENT = timedelta(seconds=30)
"""A worker that has been silent for this long is considered dead."""


def living_workers() -> QuerySet[Worker]:
    """Return the workers that have been active lately."""
    return Worker.objects.filter(beaten_at__gt=timezone.now() - SILENT)


def games_at_once() -> int:
    """Return the sum that live workers announced; without any, what a worker of this site would play."""
    announced: int | None = living_workers().aggregate(sum=Sum("games_at_once"))["sum"]
    return announced or settings.GAMES_AT_ONCE
