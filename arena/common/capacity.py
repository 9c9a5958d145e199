"""How many games are played at once, by all workers together."""

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.utils import timezone

from arena.common.models import Worker

SILENT = timedelta(seconds=30)
"""A worker that has said nothing for so long is taken to be dead."""


def living_workers() -> QuerySet[Worker]:
    """The workers that were heard of lately."""
    return Worker.objects.filter(beaten_at__gt=timezone.now() - SILENT)


def games_at_once() -> int:
    """What the living workers have announced; while there is none, what one of this site would play."""
    announced: int | None = living_workers().aggregate(sum=Sum("games_at_once"))["sum"]
    return announced or settings.GAMES_AT_ONCE
