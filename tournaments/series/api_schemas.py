"""Series of events: their seasons, tables and events; and the seasons of ladders."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Schema, Slug, Url
from tournaments.series.creation import MOST_EVENTS, MOST_LISTED, MOST_POINTS
from tournaments.series.models import LONGEST_DESCRIPTION, LONGEST_NAME, Season

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.series.models import EventSeries, LadderPlace, LadderSeason
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
