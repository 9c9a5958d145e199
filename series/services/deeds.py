"""Notes what organisers do with a series, and locks it for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from bots.errors import OwnerGone
from bots.services import lock_owner
from series.errors import SeriesRefused
from series.models import EventSeries, Season, SeriesDeed
from series.selectors.seasons import may_manage

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament

KEPT: Final = 200
"""Deeds of a series that stay."""


def note(series: EventSeries, by: User, what: SeriesDeed.What, tournament: Tournament | None = None) -> None:
    """Note a deed, in the transaction in which it is done, and drop those that are too many."""
    SeriesDeed.objects.create(series=series, actor=by, what=what, tournament=tournament)
    deeds = SeriesDeed.objects.filter(series=series)
    surplus = deeds.values_list("pk", flat=True)[KEPT : KEPT + 1].first()
    if surplus is not None:
        deeds.filter(pk__lte=surplus).delete()


def lock_actor(by: User) -> None:
    """Lock who changes a series, before the series. Raises SeriesRefused if the account is gone or closed."""
    try:
        lock_owner(by)
    except OwnerGone as error:
        raise SeriesRefused(str(error)) from None


def managed(series: EventSeries, by: User) -> EventSeries:
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
