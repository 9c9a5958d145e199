"""Alarms: raised once per problem, counted, and cleared when the problem is over."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F

from arena.web.cache.values import forget_with
from arena.web.database import database_clock
from arena.web.models import Alarm

SANDBOX_RETRY = timedelta(seconds=15)
QUIET_SECONDS: Final = 5.0
"""For so long whoever plays takes it that no alarm of the sandbox is raised, after having seen none."""


class _Quiet:
    """Until when this process need not look for an alarm of the sandbox."""

    until = 0.0

    @classmethod
    def end(cls) -> None:
        """Look again at once."""
        cls.until = 0.0


forget_with(_Quiet.end)


def raise_alarm(kind: str, key: str, detail: str) -> None:
    """Raise an alarm, or count it again if it is open."""
    _Quiet.end()
    now = database_clock.now()
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
    return bool(open_ones.update(cleared_at=database_clock.now()))


def sandbox_alarm() -> Alarm | None:
    """The alarm that the sandbox is missing, if it is raised."""
    return Alarm.objects.filter(kind=Alarm.Kind.SANDBOX, cleared_at=None).first()


def sandbox_alarm_lately() -> Alarm | None:
    """`sandbox_alarm`; one that another process has raised within the last seconds may be missed.

    For whoever asks before each game. To miss it is to find out that the sandbox is missing once more.
    """
    if time.monotonic() < _Quiet.until:
        return None
    alarm = sandbox_alarm()
    if alarm is None:
        _Quiet.until = time.monotonic() + QUIET_SECONDS
    return alarm


def is_recent(alarm: Alarm) -> bool:
    """Whether the sandbox was missing within the last seconds: trying now would only fill the log."""
    # Seen in the time to come: the clock was set back, and who waits for that moment may wait for hours.
    return abs(database_clock.now() - alarm.seen_at) <= SANDBOX_RETRY


def sandbox_just_failed() -> bool:
    """Whether nothing should be played or checked here for some seconds."""
    alarm = sandbox_alarm()
    return alarm is not None and is_recent(alarm)
