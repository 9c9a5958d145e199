"""The seasons of ladders: closed ones, and the ranking that closing one would keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, F, OuterRef

from tournaments.models import Rating, Tournament
from tournaments.ratings.ladders import board_of
from tournaments.ratings.twins import shadowed_versions
from tournaments.series.models import LadderPlace, LadderSeason

if TYPE_CHECKING:
    from collections.abc import Iterable


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
