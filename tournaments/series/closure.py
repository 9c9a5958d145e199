"""Closes seasons of series, which stores their tables, and starts the next; and what goes with an account."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from tournaments.models import Tournament
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import EventSeries, FinalPlace, Season, SeasonEvent, SeriesAuditEntry
from tournaments.series.results import table_of
from tournaments.series.seasons import (
    UNDECIDED,
    authors_of,
    events_of,
    lock_actor,
    lock_managed,
    lock_with_authors,
)

if TYPE_CHECKING:
    from arena.accounts.models import User


@transaction.atomic
def close_season(series: EventSeries, by: User, number: int, *, goes_on: bool) -> Season:
    """Close a season: store its table as it is now, and start the next one by the same rule if it `goes_on`.

    `number` is the season that whoever asks has seen, so that asking twice closes one. Raises
    PermissionDenied, or SeriesRefused while an event can still change the table. The owners of the bots in
    the table are told, once.
    """
    there = lock_with_authors(by, series, number)
    locked = lock_managed(series, by)
    season = Season.objects.filter(series=locked, number=number, closed_at=None).first()
    if season is None:
        raise SeriesRefused(gettext("This season is already closed."))
    # No event starts, ends, or has a pair voided at this moment: that locks its row as well.
    tournaments = Tournament.objects.select_for_update(of=("self",)).filter(season_event__season=season)
    waiting = [one for one in tournaments if one.status in UNDECIDED or one.hides_results]
    if waiting:
        raise SeriesRefused(
            gettext("%(event)s is not over. Wait for it, cancel it, or take it out if it has not started.")
            % {"event": waiting[0].name}
        )
    rows = table_of(season, events_of([season])[season.pk])
    if not rows:
        raise SeriesRefused(gettext("No event of this season is finished, so there is nothing to keep."))
    FinalPlace.objects.bulk_create(
        FinalPlace(
            season=season,
            bot_id=row.bot,
            place=row.place,
            points=row.points,
            scores={str(event): asdict(score) for event, score in row.scores.items()},
        )
        for row in rows
    )
    season.closed_at = database_clock.now()
    season.save(update_fields=["closed_at"])
    add_audit_entry(locked.audit_log, by, SeriesAuditEntry.What.CLOSED)
    authors = set(authors_of([row.bot for row in rows]).values_list("pk", flat=True))
    tell(
        authors & there - {by.pk},
        Kind.OVER,
        f"series {locked.pk} season {number}",
        fill(gettext_lazy("Season %(number)s of %(series)s is over."), number=number, series=locked.name),
        season.get_absolute_url(),
    )
    if goes_on:
        _next(locked, by, season)
    return season


@transaction.atomic
def open_season(series: EventSeries, by: User) -> Season:
    """Start the next season of a series that has none open, by the rule of the last. Raises SeriesRefused."""
    lock_actor(by)
    locked = lock_managed(series, by)
    last = Season.objects.filter(series=locked).order_by("-number").first()
    if last is None or last.is_open:
        raise SeriesRefused(gettext("The series already has an open season."))
    return _next(locked, by, last)


def _next(series: EventSeries, by: User, last: Season) -> Season:
    made = Season.objects.create(
        series=series,
        number=last.number + 1,
        scheme=last.scheme,
        listed=last.listed,
        best=last.best,
        planned=last.planned,
    )
    add_audit_entry(series.audit_log, by, SeriesAuditEntry.What.OPENED)
    return made


def lock_series_of(owner: User) -> None:
    """Lock the owner's series, and those with events of theirs, before their bots and events.

    Whoever closes a season has locked the series, locks the events next, and refers to bots.
    """
    events = SeasonEvent.objects.filter(season__series=OuterRef("pk"), tournament__owner=owner)
    rows = EventSeries.objects.select_for_update(of=("self",)).filter(Q(owner=owner) | Exists(events))
    list(rows.order_by("pk").values_list("pk"))


def leave_series(owner: User) -> None:
    """Delete series that never held an event, and the description of the others.

    The decisions of moderators go with the account, so staff can change the texts of what is left.
    """
    held = Season.objects.filter(series=OuterRef("pk")).filter(
        Q(events__isnull=False) | Q(closed_at__isnull=False)
    )
    EventSeries.objects.filter(~Exists(held), owner=owner).delete()
    EventSeries.objects.filter(owner=owner).update(description="", description_held=False, name_held=False)
