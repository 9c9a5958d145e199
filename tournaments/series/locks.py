"""Locks a series for those who do something with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from bots.errors import OwnerGone
from bots.locks import lock_accounts, lock_owner
from tournaments.models import Entry
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import EventSeries, Season
from tournaments.series.seasons import authors_of, may_manage

if TYPE_CHECKING:
    from arena.accounts.models import User


def lock_actor(by: User) -> None:
    """Lock who changes a series, before the series. Raises SeriesRefused if the account is gone or closed."""
    try:
        lock_owner(by)
    except OwnerGone as error:
        raise SeriesRefused(str(error)) from None


def lock_with_authors(by: User, series: EventSeries, number: int) -> set[int]:
    """Lock who closes a season and the owners of all bots in it, who are told; their keys.

    Whoever deletes their account has locked it before their bots, to which the table of a season refers.
    Raises SeriesRefused.
    """
    entries = Entry.objects.filter(
        tournament__season_event__season__series=series, tournament__season_event__season__number=number
    )
    authors = authors_of(entries.values("version__bot")).values_list("pk", flat=True)
    try:
        return set(lock_accounts(by, *authors))
    except OwnerGone as error:
        raise SeriesRefused(str(error)) from None


def lock_managed(series: EventSeries, by: User) -> EventSeries:
    """The series, locked. Raises PermissionDenied to who may not manage it, SeriesRefused if it is gone.

    Lock the account first (`lock_actor`): its deletion locks it before its series.
    """
    locked = locked_series(series)
    if not may_manage(locked, by):
        raise PermissionDenied
    return locked


def locked_series(series: EventSeries) -> EventSeries:
    """The series, locked, for whoever may do something in it. Raises SeriesRefused if it is gone."""
    locked = EventSeries.objects.select_for_update(of=("self",)).filter(pk=series.pk).first()
    if locked is None:
        raise SeriesRefused(gettext("This series no longer exists."))
    return locked


def open_one(series: EventSeries) -> Season:
    """The open season of a series, which the caller has locked. Raises SeriesRefused."""
    season = Season.objects.filter(series=series, closed_at=None).first()
    if season is None:
        raise SeriesRefused(gettext("The series has no open season. Start one first."))
    return season
