"""Alarms: raised once per problem, counted, and cleared when the problem is over."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.models import Alarm


def raise_alarm(kind: str, key: str, detail: str) -> None:
    """Raise an alarm, or count it again if it is open."""
    now = timezone.now()
    with transaction.atomic():
        seen = Alarm.objects.filter(kind=kind, key=key, cleared_at=None).update(
            seen_at=now, count=F("count") + 1, detail=detail[:500]
        )
        if not seen:
            # Two at once: the second finds the first's row by the unique constraint and leaves it.
            Alarm.objects.bulk_create(
                [Alarm(kind=kind, key=key, detail=detail[:500], seen_at=now)], ignore_conflicts=True
            )


def clear_alarm(kind: str, key: str) -> bool:
    """Clear an alarm; return False if there was none."""
    open_ones = Alarm.objects.filter(kind=kind, key=key, cleared_at=None)
    return bool(open_ones.update(cleared_at=timezone.now()))
