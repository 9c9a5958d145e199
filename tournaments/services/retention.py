"""Removes what nobody needs any more, by age. Results, records, ratings and accounts are kept.

`RULES` says what goes after how many days; a row of `Limit` changes that while the site runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils import timezone

from arena.common import limits
from tournaments.models import Alarm, Attempt, EventBatch, Evidence, Game, LaterLuck, PolicyTally
from tournaments.models.hidden import seeing_hidden

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


def _likenesses(before: datetime) -> QuerySet[Model]:
    return PolicyTally.objects.filter(tallied_at__lt=before)


def _later_luck(before: datetime) -> QuerySet[Model]:
    return LaterLuck.objects.filter(measured_at__lt=before)


RULES: Final = (
    Rule("keep_evidence_days", "what bots wrote, and how their processes ended", _evidence),
    Rule("keep_attempts_days", "attempts that brought no result", _attempts),
    Rule("keep_events_days", "events of games that were broken off", _batches),
    Rule("keep_alarms_days", "alarms that were cleared", _alarms),
    Rule("keep_likeness_days", "tallies of which policy a seat played like", _likenesses),
    Rule("keep_later_luck_days", "later measurements of luck", _later_luck),
)


@seeing_hidden()
def would_remove(rule: Rule) -> int:
    """How many rows a rule would remove now."""
    return rule.rows(_before(rule)).count()


@seeing_hidden()
def remove(rule: Rule) -> int:
    """Remove what is too old by a rule, and return how many rows that was."""
    count = 0
    while True:
        rows = rule.rows(_before(rule))
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
        if not keys:
            return count
        count += len(keys)
        rows.model._default_manager.filter(pk__in=keys).delete()


def remove_all() -> dict[str, int]:
    """Apply every rule: how many rows each removed."""
    return {rule.limit: remove(rule) for rule in RULES}


def _before(rule: Rule) -> datetime:
    return timezone.now() - timedelta(days=limits.value(rule.limit))
