"""How many games were played when, by the hour or by the day: counted from the games, with nothing stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Avg, Count, F
from django.db.models.functions import TruncDay, TruncHour
from django.utils import timezone

from arena.web.cache.values import kept_for
from tournaments.models import Attempt, Game
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

KEPT_SECONDS: Final = 60
UNSPOILED: Final = ("", Attempt.Cause.DELIVERED, Attempt.Cause.CANCELLED)
"""Causes that say nothing against the arena."""


@dataclass(frozen=True, slots=True)
class Span:
    """An hour or a day that began `at`: how many games ended, and how many attempts the arena spoiled.

    `wait` are the mean seconds between making a game and claiming it, None where nobody asked or none was.
    """

    at: datetime
    games: int
    spoiled: int
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class _By:
    """By what is counted, and how many of them."""

    begun: type[TruncDay | TruncHour]
    step: timedelta
    count: int

    def first(self, now: datetime) -> datetime:
        """When the first of them began; the last one is now."""
        now = now.replace(minute=0, second=0, microsecond=0)
        if self.begun is TruncDay:
            now = now.replace(hour=0)
        return now - (self.count - 1) * self.step


BY_DAY: Final = _By(TruncDay, timedelta(days=1), 14)
BY_HOUR: Final = _By(TruncHour, timedelta(hours=1), 24)


@kept_for(KEPT_SECONDS)
def last_days() -> list[Span]:
    """The last days (UTC), oldest first, from the first in which a game ended; the last is today so far."""
    return _spans(BY_DAY, BY_DAY.first(timezone.now()))


@kept_for(KEPT_SECONDS)
def last_hours() -> list[Span]:
    """The last hours in the same way."""
    return _spans(BY_HOUR, BY_HOUR.first(timezone.now()))


def last_hours_for_operators() -> list[Span]:
    """The last hours with how long games waited."""
    first = BY_HOUR.first(timezone.now())
    return _spans(BY_HOUR, first, _waited(first))


@seeing_hidden()
def _waited(first: datetime) -> dict[datetime, float]:
    """The mean wait of all games, hidden ones among them, by the hour in which they were claimed."""
    claimed = Game.objects.filter(started_at__gte=first)
    found = claimed.annotate(at=TruncHour("started_at", tzinfo=UTC)).order_by()
    waits = found.values_list("at").annotate(wait=Avg(F("started_at") - F("created_at")))
    return {at: wait.total_seconds() for at, wait in waits if wait is not None}


def _spans(by: _By, first: datetime, waited: Mapping[datetime, float] | None = None) -> list[Span]:
    ended = Game.objects.filter(status=Game.Status.FINISHED, finished_at__gte=first)
    games = _counts(ended.annotate(at=by.begun("finished_at", tzinfo=UTC)))
    spoiled = Attempt.objects.filter(ended_at__gte=first).exclude(cause__in=UNSPOILED)
    restarts = _counts(spoiled.annotate(at=by.begun("ended_at", tzinfo=UTC)))
    moments = [first + number * by.step for number in range(by.count)]
    spans = [Span(at, games.get(at, 0), restarts.get(at, 0), (waited or {}).get(at)) for at in moments]
    begun = next((index for index, one in enumerate(spans) if one.games or one.spoiled), by.count)
    return spans[begun:]


def _counts(found: QuerySet[Any]) -> dict[datetime, int]:
    """How many rows there are of each `at`."""
    return dict(found.order_by().values_list("at").annotate(count=Count("pk")))
