"""What everybody sees of series: the list, a season with its table, the archive, and downloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.audit_log import AuditLine, audit_lines
from arena.web.cache.pages import everybody, shared_page
from arena.web.paths import path
from arena.web.variants import event_title
from bots.models import Bot
from tournaments.pages.events.exports import calendar, csv_text, plain
from tournaments.series.models import EventSeries
from tournaments.series.pages.ladders import ladder_list
from tournaments.series.pages.seasons import (
    LINES,
    ArchivedSeason,
    EventLine,
    event_lines,
    lines,
    names_of,
    points_words,
    season_page,
)
from tournaments.series.results import season_table, unknown
from tournaments.series.seasons import (
    could_be_added,
    could_be_taken_out,
    events_of,
    find_series,
    may_manage,
    season_winners,
    seasons_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.core.paginator import Page
    from django.http import HttpRequest

    from tournaments.models import Tournament
    from tournaments.series.models import Season, SeasonEvent, SeriesAuditEntry
    from tournaments.series.points import Score
    from tournaments.series.results import SeasonTable

PER_PAGE: Final = 20
MOST_WORKED_OUT: Final = 100
"""Events that one page of the list works out; a later reader gets the others. A season alone has fewer."""
COLUMNS: Final = ("place", "bot", "owner", "points")


@dataclass(frozen=True, slots=True)
class Managing:
    """The open season with its events, what can be added, where the next event is made, and the audit log."""

    season: Season | None
    events: list[EventLine]
    drafts: list[Tournament]
    next_url: str
    closable: bool
    deletable: bool
    audit_log: list[AuditLine]


def managing(series: EventSeries, user: Any) -> Managing:
    """What an organiser sees below the table."""
    seasons = seasons_of([series])[series.pk]
    season = next((one for one in seasons if one.is_open), None)
    table = season_table(season) if season else None
    events = event_lines(table) if table else []
    over = all(one.tournament.is_over for one in events)
    return Managing(
        season=season,
        events=events,
        drafts=list(could_be_added(user)[:50]) if season else [],
        next_url=_next_url(series, events),
        closable=bool(table and table.rows) and over,
        deletable=len(seasons) == 1 and not events and season is not None,
        audit_log=audit_lines(series.audit_log, _about, "tournament", staff_but={series.owner_id}),
    )


def _next_url(series: EventSeries, events: list[EventLine]) -> str:
    """The form of a new event of this series, with the settings of its last."""
    query = {"series": series.slug} | ({"like": events[-1].tournament.slug} if events else {})
    return f"{path('tournaments:new')}?{urlencode(query)}"


def _about(entry: SeriesAuditEntry) -> str:
    return event_title(entry.tournament.name) if entry.tournament else ""


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


def series_or_404(slug: str) -> EventSeries:
    """The series of this slug; a 404 if there is none."""
    series = find_series(slug)
    if series is None:
        raise Http404(f"expected a series, got {slug!r}")
    return series


def choose_season(seasons: list[Season], number: int | None) -> Season:
    """The season of this number, the newest without one; a 404 if there is none."""
    season = next((one for one in seasons if number in (None, one.number)), None)
    if season is None:
        raise Http404(f"expected a season, got {number}")
    return season


@shared_page(seconds=60, among=everybody)
@gzip_page
@require_safe
def all_series(request: HttpRequest) -> HttpResponse:
    """All series, each with who leads or won it, and the ladders with their last season."""
    page, rows = series_list(request.GET.get("page"))
    return render(request, "series/list.html", {"page": page, "rows": rows, "ladders": ladder_list()})


def _own_parts(request: HttpRequest, slug: str, number: int | None = None) -> dict[str, str] | None:
    """What its organiser may do with a series, and others with their events in it."""
    series = find_series(slug)
    if series is None:
        return {}
    if not may_manage(series, request.user):
        rows = could_be_taken_out(series, request.user)
        context = {"base": "parts/bare.html", "series": series, "own_events": rows}
        return {"manage": render_to_string("series/detail.html", context, request)} if rows else {}
    context = {"base": "parts/bare.html", "series": series, "managing": managing(series, request.user)}
    return {"manage": render_to_string("series/detail.html", context, request)}


@shared_page(seconds=60, own=_own_parts)
@gzip_page
@require_safe
def series_detail(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A season of a series, the open or newest one unless asked for another."""
    series = series_or_404(slug)
    seasons = seasons_of([series])[series.pk]
    season = choose_season(seasons, number)
    table = season_table(season)
    page = Paginator(range(len(table.rows)), LINES).get_page(request.GET.get("page"))
    manages = may_manage(series, request.user)
    context = {
        "series": series,
        "season": season,
        "seasons": seasons,
        "page": page,
        "shown": season_page(table, max(page.start_index() - 1, 0)),
        "managing": managing(series, request.user) if manages else None,
        "own_events": [] if manages else could_be_taken_out(series, request.user),
    }
    return render(request, "series/detail.html", context)


@shared_page(among=everybody)
@gzip_page
@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """The archive: all closed seasons of a series with their winners."""
    series = series_or_404(slug)
    return render(request, "series/seasons.html", {"series": series, "archive": archive(series)})


@shared_page(seconds=60, among=everybody)
@require_safe
def dates(request: HttpRequest, slug: str) -> HttpResponse:
    """The dates of the events of a series' newest season, for a calendar."""
    series = series_or_404(slug)
    season = choose_season(seasons_of([series])[series.pk], None)
    events = [one.tournament for one in events_of([season])[season.pk]]
    text = calendar(events, request.build_absolute_uri("/"))
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@shared_page(seconds=1, among=everybody)
@require_safe
def standings_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The table of a season for spreadsheets."""
    series = series_or_404(slug)
    season = choose_season(seasons_of([series])[series.pk], number)
    return HttpResponse(season_csv(season_table(season)), content_type="text/csv; charset=utf-8")


def season_csv(table: SeasonTable) -> str:
    """The table of a season, a line a bot; points that are dropped are marked."""
    slugs = [plain(one.tournament.slug) for one in table.events]
    rows: list[tuple[Any, ...]] = [(*COLUMNS, *slugs)]
    for row, line in zip(table.rows, lines(table), strict=True):
        cells = [row.scores.get(one.tournament_id) for one in table.events]
        got = [_cell(one) for one in cells]
        rows.append((line.place, plain(line.bot), plain(line.owner), f"{row.points:g}", *got))
    return csv_text(rows)


def _cell(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.points:g}" if score.counts else f"{score.points:g} (dropped)"
