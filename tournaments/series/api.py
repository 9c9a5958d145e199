"""Series of events: read by everyone, changed by their organisers; and the seasons of ladders."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from ninja import Body, Path, Query, Router, Status
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Schema, Slug, Url
from bots.models import Bot, Scope
from tournaments.series import closure, creation, events
from tournaments.series.creation import MOST_EVENTS, MOST_LISTED, MOST_POINTS
from tournaments.series.ladder_seasons import find_ladder, ladder_seasons, ladder_winners
from tournaments.series.models import LONGEST_DESCRIPTION, LONGEST_NAME, EventSeries, Season
from tournaments.series.results import season_table
from tournaments.series.seasons import find_series, may_manage, seasons_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.series.models import EventSeries, LadderPlace, LadderSeason, Season
    from tournaments.series.results import SeasonTable

if TYPE_CHECKING:
    # As many words as there are: mypy reads no tuples of them.
    SchemeName = str
else:
    SchemeName = Literal[tuple(Season.Scheme.values)]


class SeriesRule(Schema):
    """How a season is scored."""

    scheme: SchemeName = "grand-prix"
    listed: list[int] = Field(
        [],
        max_length=MOST_LISTED,
        description=f"For the scheme `listed`: points for the first places, 0 to {MOST_POINTS}.",
        examples=[[10, 6, 3, 1]],
    )
    best: int = Field(0, ge=0, le=MOST_EVENTS, description="How many results of a bot count; 0: all.")
    planned: int = Field(0, ge=0, le=MOST_EVENTS, description="How many events are planned; 0 if unknown.")


class SeriesWish(SeriesRule):
    """A series to create."""

    name: str = Field(min_length=3, max_length=LONGEST_NAME, examples=["Winter League"])
    description: str = Field("", max_length=LONGEST_DESCRIPTION)


class SeriesOut(Schema):
    """A series."""

    series: Slug = Field(examples=["winter-league"])
    name: str = Field(examples=["Winter League"])
    description: str
    owner: str | None = Field(description="User name of the organiser; null if that account is gone.")
    seasons: int
    open: bool = Field(description="Whether a season is open.")
    url: Url


class SeriesPage(Schema):
    """Series, newest first."""

    items: list[SeriesOut]
    next: str | None


class SeriesScore(Schema):
    """What a bot got in an event; `counts` is false for a dropped result."""

    tournament: Slug = Field(examples=["spring-cup"])
    place: int
    points: float
    counts: bool


class SeriesStanding(Schema):
    """A bot's line of the table."""

    place: int
    bot: Slug = Field(examples=["greedy"])
    points: float
    scores: list[SeriesScore]


class SeriesEventOut(Schema):
    """An event of a season; `counts` once its results are in the table."""

    number: int
    tournament: Slug = Field(examples=["spring-cup"])
    counts: bool


class SeasonOut(Schema):
    """A season with its table, which no longer changes once `closed_at` is set."""

    series: Slug = Field(examples=["winter-league"])
    season: int
    rule: SeriesRule
    opened_at: datetime
    closed_at: datetime | None
    events: list[SeriesEventOut]
    items: list[SeriesStanding]
    url: Url


class SeriesEventIn(Schema):
    """An event to add."""

    tournament: Slug = Field(examples=["spring-cup"])


class SeasonClose(Schema):
    """Which season to close, and whether the next one starts."""

    season: int = Field(ge=1, le=2**31 - 1)
    goes_on: bool = True


class LadderSeasonOut(Schema):
    """A closed season of a ladder. Ratings went on: nothing was reset."""

    ladder: Slug = Field(examples=["ladder-crapaud"])
    season: int
    opened_at: datetime
    closed_at: datetime
    winner: Slug | None = Field(examples=["greedy"])
    url: Url


class LadderSeasons(Schema):
    """The closed seasons of a ladder, newest first."""

    items: list[LadderSeasonOut]


def series_out(one: EventSeries, seasons: Sequence[Season]) -> dict[str, Any]:
    """A series as everyone sees it."""
    return {
        "series": one.slug,
        "name": one.name,
        "description": one.description,
        "owner": one.owner.get_username() if one.owner else None,
        "seasons": len(seasons),
        "open": any(each.is_open for each in seasons),
        "url": one.get_absolute_url(),
    }


def season_out(table: SeasonTable, bots: Mapping[int, str]) -> dict[str, Any]:
    """A season with its table; `bots` are the slugs of those in it, by key."""
    season, slugs = table.season, {one.tournament_id: one.tournament.slug for one in table.events}
    return {
        "series": season.series.slug,
        "season": season.number,
        "rule": {
            "scheme": season.scheme,
            "listed": [int(one) for one in season.listed],
            "best": season.best,
            "planned": season.planned,
        },
        "opened_at": season.opened_at,
        "closed_at": season.closed_at,
        "events": [
            {
                "number": one.number,
                "tournament": one.tournament.slug,
                "counts": one.tournament_id in table.counting,
            }
            for one in table.events
        ],
        "items": [
            {
                "place": row.place,
                "bot": bots[row.bot],
                "points": row.points,
                "scores": [
                    {
                        "tournament": slugs[key],
                        "place": score.place,
                        "points": score.points,
                        "counts": score.counts,
                    }
                    for key, score in row.scores.items()
                    if key in slugs
                ],
            }
            for row in table.rows
        ],
        "url": season.get_absolute_url(),
    }


def ladder_season_out(one: LadderSeason, winner: LadderPlace | None) -> dict[str, Any]:
    """A closed season of a ladder."""
    return {
        "ladder": one.ladder.slug,
        "season": one.number,
        "opened_at": one.opened_at,
        "closed_at": one.closed_at,
        "winner": winner.version.bot.slug if winner else None,
        "url": one.get_absolute_url(),
    }


router = Router()
NEWEST = (Key("created_at", moment), Key("pk", number))


def _find(slug: str) -> EventSeries:
    found = find_series(slug)
    if found is None:
        raise Http404(f"Expected a series, got {slug!r}.")
    return found


def _managed(request: HttpRequest, slug: str) -> EventSeries:
    found = _find(slug)
    if not may_manage(found, user_of(request)):
        raise PermissionDenied
    return found


def _described(season: Season) -> dict[str, Any]:
    table = season_table(season)
    bots = Bot.objects.filter(pk__in=[row.bot for row in table.rows]).values_list("pk", "slug")
    return season_out(table, dict(bots))


def _newest(series: EventSeries) -> dict[str, Any]:
    return _described(seasons_of([series])[series.pk][0])


@route(router, "GET", "series/", SeriesPage)
def list_series(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """Series of events, newest first."""
    rows, following = page(EventSeries.objects.select_related("owner"), NEWEST, cursor, limit)
    seasons = seasons_of(rows)
    return {"items": [series_out(one, seasons[one.pk]) for one in rows], "next": following}


@route(router, "POST", "series/", SeriesOut, needs=Scope.COMPETE, status=201)
def create_series(request: HttpRequest, wish: Body[SeriesWish]) -> Status[Any]:
    """Create a series with its first season.

    Then add events to it before they start.
    """
    rule = creation.RuleWish(wish.scheme, wish.listed, wish.best, wish.planned)
    made = creation.create(user_of(request), wish.name, wish.description, rule)
    return Status(201, series_out(made, seasons_of([made])[made.pk]))


@route(router, "GET", "series/{slug}/", SeriesOut)
def get_series(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """A series."""
    found = _find(slug)
    return series_out(found, seasons_of([found])[found.pk])


@route(router, "GET", "series/{slug}/standings/", SeasonOut)
def get_series_standings(
    request: HttpRequest,
    slug: Path[Slug],
    season: int | None = Query(None, ge=1, le=2**31 - 1, description="Season number; default: the newest."),
) -> dict[str, Any]:
    """The table of a season of a series, with its events and its rule.

    Events that are not finished, that hide results, or that were cancelled do not count.
    """
    found = _find(slug)
    for one in seasons_of([found])[found.pk]:
        if season in (None, one.number):
            return _described(one)
    raise Http404(f"Expected a season of {slug!r}, got {season}.")


@route(router, "POST", "series/{slug}/events/", SeasonOut, needs=Scope.COMPETE, status=201)
def add_series_event(request: HttpRequest, slug: Path[Slug], wish: Body[SeriesEventIn]) -> Status[Any]:
    """Add an event of yours that has not started to the open season of your series."""
    series = _managed(request, slug)
    events.add_event(series, user_of(request), wish.tournament)
    return Status(201, _newest(series))


@route(router, "DELETE", "series/{slug}/events/{tournament}/", needs=Scope.COMPETE, status=204)
def remove_series_event(request: HttpRequest, slug: Path[Slug], tournament: Path[Slug]) -> Status[Any]:
    """Remove an event that has not started from the open season of your series.

    You can also remove an event that you founded from a series of somebody else.
    """
    events.remove_event(_find(slug), user_of(request), tournament)
    return Status(204, None)


@route(router, "POST", "series/{slug}/close/", SeasonOut, needs=Scope.COMPETE)
def close_series_season(request: HttpRequest, slug: Path[Slug], wish: Body[SeasonClose]) -> dict[str, Any]:
    """Close the open season of your series: its table stays as it is now.

    All its events must be over. The next season starts by the same rule, unless you say otherwise.
    """
    series = _managed(request, slug)
    return _described(closure.close_season(series, user_of(request), wish.season, goes_on=wish.goes_on))


@route(router, "GET", "ladders/{ladder}/seasons/", LadderSeasons)
def list_ladder_seasons(request: HttpRequest, ladder: Path[Slug]) -> dict[str, Any]:
    """The closed seasons of a ladder with their winners. Ratings are never reset."""
    found = find_ladder(ladder)
    if found is None:
        raise Http404(f"Expected a ladder, got {ladder!r}.")
    seasons = ladder_seasons(found)
    won = ladder_winners(seasons)
    return {"items": [ladder_season_out(one, won.get(one.pk)) for one in seasons]}
