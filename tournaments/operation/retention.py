"""Removes what nobody needs any more, by age. Results, records, ratings and accounts are kept.

The curves of ratings get thinner with age: first one point a day stays, then one a week. Nothing is computed
from them.

`RULES` says what goes after how many days; a row of `Limit` changes that while the site runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import TruncDay, TruncWeek

from arena.web import limits
from arena.web.database import database_clock
from arena.web.models import Incident, SentRequest
from tournaments.models import (
    Alarm,
    Attempt,
    EventBatch,
    Evidence,
    Game,
    LaterLuck,
    PolicyTally,
    RatingPoint,
)
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import Model, QuerySet

BATCH: Final = 1_000
"""Rows deleted at a time, each batch in a transaction of its own."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What goes when it is older than a limit says."""

    limit: str
    words: str
    rows: Callable[[datetime], QuerySet[Model]]


def _evidence(before: datetime) -> QuerySet[Model]:
    return Evidence.objects.filter(game__finished_at__lt=before)


def _attempts(before: datetime) -> QuerySet[Model]:
    return Attempt.objects.filter(ended_at__lt=before).exclude(cause=Attempt.Cause.DELIVERED)


def _batches(before: datetime) -> QuerySet[Model]:
    over = Q(game__status=Game.Status.VOID) | Q(attempt__ended_at__isnull=False)
    return EventBatch.objects.filter(over, attempt__started_at__lt=before)


def _alarms(before: datetime) -> QuerySet[Model]:
    return Alarm.objects.filter(cleared_at__lt=before)


def _incidents(before: datetime) -> QuerySet[Model]:
    return Incident.objects.filter(at__lt=before)


def _sent_requests(before: datetime) -> QuerySet[Model]:
    return SentRequest.objects.filter(at__lt=before)


def _likenesses(before: datetime) -> QuerySet[Model]:
    return PolicyTally.objects.filter(tallied_at__lt=before)


def _later_luck(before: datetime) -> QuerySet[Model]:
    return LaterLuck.objects.filter(measured_at__lt=before)


def _daily_points(before: datetime) -> QuerySet[Model]:
    weekly_before = database_clock.now() - timedelta(days=limits.value(DAILY_POINTS))
    return _but_last(before, TruncDay, days=1).filter(at__gte=weekly_before)


def _weekly_points(before: datetime) -> QuerySet[Model]:
    return _but_last(before, TruncWeek, days=7)


def _but_last(before: datetime, span: type[TruncDay | TruncWeek], *, days: int) -> QuerySet[RatingPoint]:
    """The points of rating curves that are followed by another in the same span of time (UTC).

    The last point of a span stays, and so does the last of a curve.
    """
    points = RatingPoint.every.annotate(span=span("at"))
    following = points.filter(
        version=OuterRef("version"),
        variant=OuterRef("variant"),
        # An index finds these, so that one look costs the same however long the curve is.
        at__gt=OuterRef("at"),
        at__lte=OuterRef("at") + timedelta(days=days),
        span=OuterRef("span"),
    )
    return points.filter(Exists(following), at__lt=before)


DAILY_POINTS: Final = "keep_daily_rating_points_days"

RULES: Final = (
    Rule("keep_evidence_days", "what bots wrote, and how their processes ended", _evidence),
    Rule("keep_attempts_days", "attempts that brought no result", _attempts),
    Rule("keep_events_days", "events of games that were broken off", _batches),
    Rule("keep_alarms_days", "alarms that were cleared", _alarms),
    Rule("keep_incidents_days", "what befell processes", _incidents),
    Rule("keep_sent_requests_days", "requests that would not be carried out twice", _sent_requests),
    Rule("keep_likeness_days", "tallies of which policy a seat played like", _likenesses),
    Rule("keep_later_luck_days", "later measurements of luck", _later_luck),
    Rule("keep_rating_points_days", "points of rating curves, but the last of each day", _daily_points),
    Rule(DAILY_POINTS, "points of rating curves, but the last of each week", _weekly_points),
)


@seeing_hidden()
def would_remove(rule: Rule) -> int:
    """How many rows a rule would remove now."""
    return rule.rows(_before(rule)).count()


@seeing_hidden()
def remove(rule: Rule) -> int:
    """Remove what is too old by a rule, and return how many rows that was."""
    count = last = 0
    while True:
        rows = rule.rows(_before(rule))
        # Each batch begins behind the last one: what stays is looked at once.
        keys = list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH])
        if not keys:
            return count
        count, last = count + len(keys), keys[-1]
        rows.model._default_manager.filter(pk__in=keys).delete()


def remove_all() -> dict[str, int]:
    """Apply every rule: how many rows each removed."""
    return {rule.limit: remove(rule) for rule in RULES}


def _before(rule: Rule) -> datetime:
    return database_clock.now() - timedelta(days=limits.value(rule.limit))
