"""Events of series: which one an event belongs to; put into the open season, ordered, and taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext, ngettext

from arena.web.audit_log import add_audit_entry
from arena.web.cache.values import shared_value
from tournaments import live_updates as events
from tournaments.models import Tournament
from tournaments.series.creation import MOST_EVENTS
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import EventSeries, SeasonEvent, SeriesAuditEntry
from tournaments.series.seasons import (
    ENDLESS,
    could_be_added,
    lock_actor,
    lock_managed,
    locked_series,
    managed_by,
    may_manage,
    open_one,
)

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.series.models import Season


@transaction.atomic
def add_event(series: EventSeries, by: User, slug: str) -> SeasonEvent:
    """Put an event that has not started into the open season, as its last.

    Only whoever organises the series and founded the event may do so. Raises PermissionDenied or
    SeriesRefused.
    """
    lock_actor(by)
    locked = lock_managed(series, by)
    season = open_one(locked)
    # It may start at this moment.
    rows = Tournament.objects.select_for_update(of=("self",))
    found = rows.filter(pk__in=could_be_added(by).values("pk"), slug=slug).first()
    if found is None or found.status != Tournament.Status.DRAFT:
        raise SeriesRefused(
            gettext("Choose one of your own events that has not started and belongs to no series."), "event"
        )
    return _put(season, found, by)


@transaction.atomic
def put_new(series: EventSeries, by: User, tournament: Tournament) -> SeasonEvent:
    """Put an event into the open season in the transaction that creates it. Raises as `add_event` does."""
    lock_actor(by)
    if tournament.format in ENDLESS:
        raise SeriesRefused(gettext("Tests and ladders cannot belong to a series."), "series")
    return _put(open_one(lock_managed(series, by)), tournament, by)


def _put(season: Season, tournament: Tournament, by: User) -> SeasonEvent:
    """Put an event into a season whose series is locked. Raises SeriesRefused."""
    rows = SeasonEvent.objects.filter(season=season)
    counted = rows.exclude(tournament__status=Tournament.Status.CANCELLED).count()
    if season.planned and counted >= season.planned:
        raise SeriesRefused(
            ngettext(
                "The one planned event has been added. To add another, first raise the number of planned "
                "events.",
                "All %(count)s planned events have been added. To add another, first raise the number of "
                "planned events.",
                season.planned,
            )
            % {"count": season.planned},
            "event",
        )
    if rows.count() >= MOST_EVENTS:
        raise SeriesRefused(gettext("A season has at most %(most)s events.") % {"most": MOST_EVENTS}, "event")
    last = rows.aggregate(last=Max("number"))["last"] or 0
    # Whoever put it into another series meanwhile was first.
    made, fresh = SeasonEvent.objects.get_or_create(
        tournament=tournament, defaults={"season": season, "number": last + 1}
    )
    if not fresh:
        raise SeriesRefused(gettext("This event already belongs to a series."), "event")
    add_audit_entry(season.series.audit_log, by, SeriesAuditEntry.What.ADDED, tournament=tournament)
    events.changed_on_commit(tournament.slug)
    return made


@transaction.atomic
def remove_event(series: EventSeries, by: User, slug: str) -> None:
    """Take an event that has not started out of the open season.

    Its owner may do so, too, whosever the series is. Raises PermissionDenied or SeriesRefused.
    """
    lock_actor(by)
    locked = locked_series(series)
    rows = Tournament.objects.select_for_update(of=("self",))
    found = rows.filter(season_event__season__series=locked, slug=slug).first()
    if not may_manage(locked, by) and (found is None or found.owner_id != by.pk):
        raise PermissionDenied
    season = open_one(locked)
    if found is None or not SeasonEvent.objects.filter(tournament=found, season=season).exists():
        raise SeriesRefused(gettext("This event does not belong to the open season."), "event")
    if found.status != Tournament.Status.DRAFT:
        raise SeriesRefused(gettext("This event has started, so it stays. You can still cancel it."), "event")
    SeasonEvent.objects.filter(tournament=found).delete()
    add_audit_entry(locked.audit_log, by, SeriesAuditEntry.What.REMOVED, tournament=found)
    events.changed_on_commit(found.slug)


@transaction.atomic
def move_event(series: EventSeries, by: User, slug: str) -> None:
    """Put an event of the open season before the one it follows. Raises PermissionDenied or SeriesRefused."""
    lock_actor(by)
    locked = lock_managed(series, by)
    rows = list(SeasonEvent.objects.filter(season=open_one(locked)).select_related("tournament"))
    index = next((index for index, one in enumerate(rows) if one.tournament.slug == slug), None)
    if index is None:
        raise SeriesRefused(gettext("This event does not belong to the open season."), "event")
    if index == 0:
        return
    rows[index - 1], rows[index] = rows[index], rows[index - 1]
    for number, one in enumerate(rows, start=1):
        if one.number != number:
            one.number = number
            events.changed_on_commit(one.tournament.slug)
    SeasonEvent.objects.bulk_update(rows, ["number"])
    add_audit_entry(locked.audit_log, by, SeriesAuditEntry.What.MOVED, tournament=rows[index - 1].tournament)


@dataclass(frozen=True, slots=True)
class PartOf:
    """The series of an event: its name, address, and where in it the event stands, in words."""

    name: str
    url: str
    words: str


def choices(user: User) -> list[tuple[str, str]]:
    """The series of a user with an open season, by slug."""
    return list(managed_by(user).filter(seasons__closed_at=None).values_list("slug", "name"))


def put(tournament: Tournament, user: User, slug: str) -> None:
    """Put a new event into a series, in the transaction that creates it; nothing without a `slug`.

    Raises SeriesRefused.
    """
    if not slug:
        return
    found = managed_by(user).filter(slug=slug).first()
    if found is None:
        raise SeriesRefused(gettext("Choose one of your own series."), "series")
    put_new(found, user, tournament)


@shared_value
def part_of(tournament: int) -> PartOf | None:
    """The series of the event with this key, and the place of the event in it; None if it belongs to none."""
    rows = SeasonEvent.objects.filter(tournament=tournament)
    found = rows.select_related("season__series").first()
    if found is None:
        return None
    season = found.season
    words = gettext("Event %(number)s of season %(season)s") % {
        "number": found.number,
        "season": season.number,
    }
    return PartOf(season.series.name, season.get_absolute_url(), words)
