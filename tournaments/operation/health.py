"""What `/health` and the admin say about the competition."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min, Q
from django.utils import timezone

from tournaments.models import Alarm, Analysis, Attempt, Game, Tournament
from tournaments.models.embargo import seeing_hidden

ANALYSIS_LATE_SECONDS = 15 * 60


def open_alarms() -> list[Alarm]:
    """Alarms that nobody has cleared, newest first."""
    return list(Alarm.objects.filter(cleared_at=None))


@seeing_hidden()
def queue() -> dict[str, Any]:
    """What waits and what is being played; `oldest_seconds` is the age of the longest running game."""
    live = Q(tournament__status=Tournament.Status.RUNNING)
    # Only these: there may be a million finished ones.
    games = Game.objects.filter(status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    found = games.aggregate(
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


def analysis() -> dict[str, Any]:
    """Analysis' part of `/health`: red when a question that is still wanted has waited for long."""
    now = timezone.now()
    wanted = Q(wanted_until=None) | Q(wanted_until__gt=now)
    waits = Analysis.objects.filter(wanted, status__in=(Analysis.Status.WAITING, Analysis.Status.RUNNING))
    found = waits.aggregate(waiting=Count("pk"), oldest=Min("asked_at"))
    age = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    part: dict[str, Any] = {
        "ok": age <= ANALYSIS_LATE_SECONDS,
        "waiting": found["waiting"],
        "oldest_seconds": round(age, 1),
    }
    if not part["ok"]:
        part["reason"] = f"a question has waited {age:.0f} s for an analysis process"
    return part
