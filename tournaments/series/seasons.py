"""Series, their seasons and events: who may manage which, and locks for who does."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.utils.translation import gettext

from bots.errors import OwnerGone
from bots.locks import lock_accounts, lock_owner
from bots.models import Bot, CoOwner
from tournaments.models import Entry, Tournament
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import EventSeries, FinalPlace, Season, SeasonEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from arena.accounts.models import User

ENDLESS: Final = (Tournament.Format.LADDER, Tournament.Format.SPRT)
"""Formats without places."""
UNDECIDED: Final = (Tournament.Status.DRAFT, Tournament.Status.RUNNING, Tournament.Status.PAUSED)


def may_manage(series: EventSeries, user: Any) -> bool:
    """Whether this is the organiser of a series, or staff: the one place that says so."""
    return bool(user.is_authenticated and user.is_active and (user.is_staff or series.owner_id == user.pk))


def managed_by(user: User) -> QuerySet[EventSeries]:
    """The series that somebody created."""
    return EventSeries.objects.filter(owner=user)


def find_series(slug: str) -> EventSeries | None:
    """The series of this slug, None if there is none."""
    return EventSeries.objects.select_related("owner").filter(slug=slug).first()


def seasons_of(series: Iterable[EventSeries]) -> dict[int, list[Season]]:
    """The seasons of each of these series, by its key, the newest first; one query for all."""
    found: defaultdict[int, list[Season]] = defaultdict(list)
    for one in Season.objects.filter(series__in=[each.pk for each in series]).select_related("series"):
        found[one.series_id].append(one)
    return found


def events_of(seasons: Iterable[Season]) -> dict[int, list[SeasonEvent]]:
    """The events of each of these seasons, by its key, in the order of the calendar; one query for all."""
    found: defaultdict[int, list[SeasonEvent]] = defaultdict(list)
    rows = SeasonEvent.objects.filter(season__in=[one.pk for one in seasons])
    rows = rows.select_related("tournament__hidden_results").defer("tournament__seed", "tournament__join_key")
    for one in rows:
        found[one.season_id].append(one)
    return found


def places_of(season: Season) -> list[FinalPlace]:
    """The table of a closed season, best first."""
    return list(season.places.select_related("bot"))


def season_winners(seasons: Sequence[Season]) -> dict[int, list[FinalPlace]]:
    """Who was first in each of these closed seasons, by its key; one query for all."""
    found: defaultdict[int, list[FinalPlace]] = defaultdict(list)
    rows = FinalPlace.objects.filter(season__in=[one.pk for one in seasons], place=1)
    for one in rows.select_related("bot"):
        found[one.season_id].append(one)
    return found


def could_be_added(user: User) -> QuerySet[Tournament]:
    """The events that somebody founded, that have not started and belong to no series.

    Who organises an event with its founder does not decide where it belongs.
    """
    own = Q(owner=user)
    if user.is_staff:
        own |= Q(owner=None)
    drafts = Tournament.objects.filter(own, status=Tournament.Status.DRAFT, season_event=None)
    return drafts.exclude(format__in=ENDLESS)


def could_be_taken_out(series: EventSeries, user: Any) -> list[SeasonEvent]:
    """The events of a series that somebody founded and that have not started; strangers founded none."""
    if not user.is_authenticated:
        return []
    rows = SeasonEvent.objects.filter(season__series=series, season__closed_at=None, tournament__owner=user)
    return list(rows.filter(tournament__status=Tournament.Status.DRAFT).select_related("tournament"))


def authors_of(bots: QuerySet[Any] | Sequence[int]) -> QuerySet[User]:
    """The accounts that own one of these bots (keys), alone or with others."""
    owners = Bot.objects.filter(pk__in=bots).values("owner")
    together = CoOwner.objects.filter(bot__in=bots, bot__owner__isnull=False, status=CoOwner.Status.ACCEPTED)
    return get_user_model().objects.filter(Q(pk__in=owners) | Q(pk__in=together.values("user")))


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
