"""The seasons of ladders: closed ones, and the ranking that closing one would keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.admin.models import ADDITION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext

from arena.web.database import database_clock
from tournaments.models import Rating, Tournament
from tournaments.ratings.leaderboards import board_of
from tournaments.ratings.twins import shadowed_versions
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import LadderPlace, LadderSeason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.accounts.models import User


def find_ladder(slug: str) -> Tournament | None:
    """The ladder of this slug, None if there is none."""
    return Tournament.objects.filter(slug=slug, format=Tournament.Format.LADDER, admits_remote=False).first()


def ladders() -> list[Tournament]:
    """All ladders, the oldest first."""
    found = Tournament.objects.filter(format=Tournament.Format.LADDER, admits_remote=False).order_by(
        "created_at", "pk"
    )
    return list(found.defer("seed", "join_key"))


def ranking(ladder: Tournament) -> list[Rating]:
    """The ratings of the ladder's leaderboard in its order: of bots in play, one of each owner's near-twins.

    Ratings that compare with nobody's are left out.
    """
    rated = Rating.objects.filter(
        variant=board_of(ladder), games__gt=0, anchored=True, version__bot__withdrawn_at=None
    )
    return list(
        rated.exclude(version__in=shadowed_versions(board_of(ladder))).order_by(
            "provisional", "-elo", "version"
        )
    )


def ladder_seasons(ladder: Tournament) -> list[LadderSeason]:
    """The closed seasons of a ladder, the newest first."""
    return list(LadderSeason.objects.filter(ladder=ladder).select_related("ladder"))


def last_seasons() -> dict[int, LadderSeason]:
    """The season of each ladder that was closed last, by the ladder's key."""
    rows = LadderSeason.objects.select_related("ladder").order_by("number")
    return {one.ladder_id: one for one in rows}


def ladder_winners(seasons: Iterable[LadderSeason]) -> dict[int, LadderPlace]:
    """Who won each of these seasons, by its key; one query for all.

    That is who was first, but for the anchor of the scale while others, still being measured, are rated
    above it: then nobody won.
    """
    rows = LadderPlace.objects.filter(season__in=[one.pk for one in seasons], place=1)
    above = LadderPlace.objects.filter(season=OuterRef("season"), elo__gt=OuterRef("elo"))
    rows = rows.exclude(Exists(above), low=F("high"))
    return {one.season_id: one for one in rows.select_related("version__bot")}


def places_before(season: LadderSeason, bots: Iterable[int]) -> dict[int, int]:
    """The best place of each of these bots when the season before was closed, by bot; one query."""
    rows = LadderPlace.objects.filter(
        season__ladder=season.ladder_id, season__number=season.number - 1, version__bot__in=list(bots)
    )
    best: dict[int, int] = {}
    for bot, place in rows.order_by("-place").values_list("version__bot", "place"):
        best[bot] = place
    return best


def ladder_places(season: LadderSeason) -> list[LadderPlace]:
    """The ranking of a closed season, best first."""
    return list(season.places.select_related("version__bot__owner"))


@transaction.atomic
def close_ladder_season(ladder: Tournament, by: User, number: int) -> LadderSeason:
    """Keep the ranking of a ladder as it is now, as its season `number`. Ratings are not reset.

    Asking twice closes one season. Raises PermissionDenied for all but staff, or SeriesRefused.
    """
    if not (by.is_active and by.is_staff):
        raise PermissionDenied
    locked = Tournament.objects.select_for_update(of=("self",)).get(pk=ladder.pk)
    if locked.format != Tournament.Format.LADDER or locked.admits_remote:
        raise SeriesRefused(gettext("Only ladders have seasons of their own."))
    last = LadderSeason.objects.filter(ladder=locked).first()
    if number != (last.number if last else 0) + 1:
        raise SeriesRefused(gettext("This season is already closed."))
    ranked = ranking(locked)
    if not ranked:
        raise SeriesRefused(gettext("Nobody is ranked on this ladder yet, so there is nothing to keep."))
    opened = last.closed_at if last else locked.started_at or locked.created_at
    season = LadderSeason.objects.create(
        ladder=locked, number=number, opened_at=opened, closed_at=database_clock.now(), closed_by=by
    )
    LadderPlace.objects.bulk_create(
        LadderPlace(
            season=season,
            version_id=one.version_id,
            place=place,
            elo=one.elo,
            error=one.error,
            low=one.low,
            high=one.high,
            games=one.games,
        )
        for place, one in enumerate(ranked, start=1)
    )
    LogEntry.objects.log_actions(by.pk, [season], ADDITION, "Closed the season", single_object=True)
    return season
