"""Series and seasons in lists: all series, the archive of one, and the seasons of ladders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.paginator import Paginator

from arena.web.variants import board_title
from bots.models import Bot
from tournaments.ratings.leaderboards import board_of
from tournaments.series.ladder_seasons import ladder_winners, ladders, last_seasons
from tournaments.series.models import EventSeries
from tournaments.series.pages.seasons import names_of, points_words
from tournaments.series.results import SeasonTable, season_table, unknown
from tournaments.series.seasons import events_of, season_winners, seasons_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from django.core.paginator import Page

    from tournaments.models import Tournament
    from tournaments.series.models import LadderPlace, LadderSeason, Season, SeasonEvent

PER_PAGE: Final = 20
MOST_WORKED_OUT: Final = 100
"""Events that one page of the list works out; a later reader gets the others. A season alone has fewer."""


@dataclass(frozen=True, slots=True)
class ListedSeries:
    """A series in the list, with its open or last season; `first` names who leads or won it.

    A closed season has no table here, nor has an open one while too much of the page is to be worked out.
    """

    series: EventSeries
    season: Season
    table: SeasonTable | None
    first: str
    sharing: int


@dataclass(frozen=True, slots=True)
class ArchivedSeason:
    """A closed season with its winners, and their points; on a ladder its winner's rating."""

    season: Season | LadderSeason
    winners: list[Bot]
    points: str = ""
    elo: float | None = None


@dataclass(frozen=True, slots=True)
class ListedLadder:
    """A ladder with its season that was closed last, None if none was."""

    ladder: Tournament
    board: str
    season: LadderSeason | None
    winner: LadderPlace | None


def series_list(number: str | None) -> tuple[Page[Any], list[ListedSeries]]:
    """A page of the series, newest first; the same few queries for all, once results are known."""
    page = Paginator(EventSeries.objects.select_related("owner"), PER_PAGE).get_page(number)
    page.object_list = list(page.object_list)
    seasons = seasons_of(page.object_list)
    current = {one.pk: seasons[one.pk][0] for one in page.object_list if seasons[one.pk]}
    going = [one for one in current.values() if one.is_open]
    events = events_of(going)
    tables = {one.pk: season_table(one, events[one.pk]) for one in _within_reach(going, events)}
    won = season_winners([one for one in current.values() if not one.is_open])
    first = {pk: table.first for pk, table in tables.items()}
    first |= {pk: [one.bot_id for one in places] for pk, places in won.items()}
    keys = {bot for bots in first.values() for bot in bots}
    known = dict(Bot.objects.filter(pk__in=keys).values_list("pk", "name"))
    rows = [
        _listed(one, current[one.pk], tables, first, known) for one in page.object_list if one.pk in current
    ]
    return page, rows


def _within_reach(seasons: Iterable[Season], events: Mapping[int, Sequence[SeasonEvent]]) -> Iterator[Season]:
    """The seasons whose tables are known already, and as many others as may be worked out at once."""
    room = MOST_WORKED_OUT
    for one in seasons:
        asked = unknown(events[one.pk])
        if asked <= room:
            room -= asked
            yield one


def _listed(
    series: EventSeries,
    season: Season,
    tables: Mapping[int, SeasonTable],
    first: Mapping[int, list[int]],
    known: Mapping[int, str],
) -> ListedSeries:
    leaders = first.get(season.pk, [])
    names = names_of(leaders, known) if leaders else ""
    return ListedSeries(series, season, tables.get(season.pk), names, len(leaders))


def archive(series: EventSeries) -> list[ArchivedSeason]:
    """The closed seasons of a series with their winners, the newest first: two queries."""
    closed = [one for one in seasons_of([series])[series.pk] if not one.is_open]
    won = season_winners(closed)
    return [
        ArchivedSeason(
            one,
            [place.bot for place in won[one.pk]],
            points_words(won[one.pk][0].points) if won[one.pk] else "",
        )
        for one in closed
    ]


def ladder_archive(seasons: Sequence[LadderSeason]) -> list[ArchivedSeason]:
    """The closed seasons of a ladder with their winners: one query."""
    won = ladder_winners(seasons)
    return [
        ArchivedSeason(one, [winner.version.bot], elo=winner.elo)
        if (winner := won.get(one.pk))
        else ArchivedSeason(one, [])
        for one in seasons
    ]


def ladder_list() -> list[ListedLadder]:
    """Every ladder with the winner of its last season: three queries."""
    last = last_seasons()
    won = ladder_winners(last.values())
    return [
        ListedLadder(
            one,
            board_title(board_of(one)),
            last.get(one.pk),
            won.get(last[one.pk].pk) if one.pk in last else None,
        )
        for one in ladders()
    ]
