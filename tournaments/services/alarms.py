"""Alarms: raised once per problem, counted, and cleared when the problem is over."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments.models import Alarm

SANDBOX_RETRY = timedelta(seconds=15)


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


def sandbox_alarm() -> Alarm | None:
    """The alarm that the sandbox is missing, if it is raised."""
    return Alarm.objects.filter(kind=Alarm.Kind.SANDBOX, cleared_at=None).first()


def is_recent(alarm: Alarm) -> bool:
    """Whether the sandbox was missing within the last seconds: trying now would only fill the log."""
    # Seen in the time to come: the clock was set back, and who waits for that moment may wait for hours.
    return abs(timezone.now() - alarm.seen_at) <= SANDBOX_RETRY


def sandbox_just_failed() -> bool:
    """Whether nothing should be played or checked here for some seconds."""
    alarm = sandbox_alarm()
    return alarm is not None and is_recent(alarm)
