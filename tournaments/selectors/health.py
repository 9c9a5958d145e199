"""What `/health` and the admin say about the competition."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min, Q
from django.utils import timezone

from tournaments.models import Alarm, Attempt, Game, Tournament


def open_alarms() -> list[Alarm]:
    """Alarms that nobody has cleared, newest first."""
    return list(Alarm.objects.filter(cleared_at=None))


def queue() -> dict[str, Any]:
    """What waits and what is being played; `oldest_seconds` is the age of the longest running game."""
    live = Q(tournament__status=Tournament.Status.RUNNING)
    found = Game.objects.aggregate(
        queued=Count("pk", filter=live & Q(status=Game.Status.QUEUED)),
        running=Count("pk", filter=Q(status=Game.Status.RUNNING)),
    )
    oldest = Attempt.objects.filter(ended_at=None).aggregate(at=Min("started_at"))["at"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    return {**found, "oldest_seconds": round(age, 1)}


def competition() -> dict[str, Any]:
    """The competition's part of `/health`: red while an alarm is open, with its sentence."""
    alarms = open_alarms()
    part: dict[str, Any] = {"ok": not alarms, **queue()}
    if alarms:
        part["reason"] = "; ".join(f"{alarm.get_kind_display()}: {alarm.detail}" for alarm in alarms[:5])
    return part
