"""A season as its page shows it: who leads or won, its rules, what is decided and open, and the table.

How the leaders of a season got their points, event by event: a drawing with its table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from arena.web import charts
from arena.web.i18n.phrases import list_names, whole_day
from arena.web.i18n.readers import moment_words
from arena.web.paths import path
from arena.web.variants import event_title
from bots.models import Bot
from tournaments.models import Tournament
from tournaments.series.models import Season
from tournaments.series.points import Score, SeriesRow, cannot_be_caught, most_of_an_event, running_points
from tournaments.series.results import SeasonTable, counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arena.web.charts import Chart
    from tournaments.series.models import LadderSeason, SeasonEvent

KEYS: Final = ("first", "second", "third")
"""The strokes that a drawing has."""
LEAST: Final = 2
"""Events that count, before which there is no race to draw."""
MOST_MARKS: Final = 12


def race(table: SeasonTable, names: Sequence[str]) -> charts.Chart | None:
    """The points of the leaders after each event that counts; `names` are those of the first rows."""
    counting = table.counting
    events = [one for one in table.events if one.tournament_id in counting]
    if len(events) < LEAST or not names:
        return None
    keys = [one.tournament_id for one in events]
    leaders = [
        (name, running_points(row.scores, keys, table.season.best))
        for name, row in zip(names[: len(KEYS)], table.rows, strict=False)
    ]
    across = charts.Scale(0, len(events))
    up = charts.Scale(0, max(1.0, *(value for _, got in leaders for value in got)))
    titles = [event_title(one.tournament.name) for one in events]
    curves = []
    for key, (name, got) in zip(KEYS, leaders, strict=False):
        points = [charts.Point(0, 0)]
        for number, (title, value) in enumerate(zip(titles, got, strict=True), start=1):
            values = {"bot": name, "points": points_words(value), "event": title}
            words = gettext("%(bot)s: %(points)s after %(event)s") % values
            points.append(charts.Point(number, value, words))
        curves.append(charts.curve(charts.Series(key, name, points), across, up))
    step = -(-len(events) // MOST_MARKS)
    marks = [
        charts.Mark(across.at(place), str(one.number))
        for place, one in enumerate(events, start=1)
        if not (len(events) - place) % step
    ]
    shown = list(range(len(events)))[-charts.MOST_ROWS :]
    return charts.Chart(
        gettext("The race"),
        curves,
        marks,
        charts.marks_up(up),
        [gettext("Event"), *(name for name, _ in leaders)],
        [[titles[index], *(points_words(got[index]) for _, got in leaders)] for index in shown],
        gettext("Points after each event"),
    )


PODIUM: Final = 3
MOST_NAMED: Final = 3
"""Bots that a headline names."""
MOST_SAID: Final = 4
"""Events that are said to be open; the list has the rest."""
LINES: Final = 50
"""Bots on one page of a table."""
Status = Tournament.Status


@dataclass(frozen=True, slots=True)
class SeriesCell:
    """What a bot got in an event; empty where it did not play."""

    event: int
    url: str
    points: str = ""
    place: int = 0
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A bot in the table."""

    place: int
    bot: str
    slug: str
    url: str
    remote: bool
    owner: str
    points: str
    amount: float
    cells: list[SeriesCell]


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of a season, `counts` once its results are in the table."""

    number: int
    tournament: Tournament
    counts: bool

    @property
    def fixed(self) -> bool:
        """Whether it has started, so that it stays in the season."""
        return self.tournament.status != Status.DRAFT


@dataclass(frozen=True, slots=True)
class SeasonStory:
    """A headline with a sentence below it, and what is decided and open."""

    headline: str
    detail: str = ""
    decided: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def lines(table: SeasonTable, start: int = 0, count: int | None = None) -> list[SeriesLine]:
    """Rows `start` (from 0) and so many after it, with their names: one query."""
    rows = table.rows[start : None if count is None else start + count]
    bots = Bot.objects.select_related("owner").in_bulk([row.bot for row in rows])
    return [_line(row, bots[row.bot], table.events) for row in rows]


def _line(row: SeriesRow, bot: Bot, events: Sequence[SeasonEvent]) -> SeriesLine:
    return SeriesLine(
        place=row.place,
        bot=bot.name,
        slug=bot.slug,
        url=bot.get_absolute_url(),
        remote=bot.is_remote,
        owner=bot.owner.get_username() if bot.owner else "",
        points=points_words(row.points),
        amount=row.points,
        cells=[_cell(one, row.scores.get(one.tournament_id)) for one in events],
    )


def _cell(event: SeasonEvent, score: Score | None) -> SeriesCell:
    url = event.tournament.get_absolute_url()
    if score is None:
        return SeriesCell(event.number, url)
    return SeriesCell(event.number, url, points_words(score.points), score.place, score.counts)


def event_lines(table: SeasonTable) -> list[EventLine]:
    """The events of a season, numbered as in the table."""
    counting = table.counting
    return [EventLine(one.number, one.tournament, one.tournament_id in counting) for one in table.events]


def names_of(bots: Sequence[int], known: Mapping[int, str]) -> str:
    """Bots as a sentence lists them, a few of many."""
    if len(bots) > MOST_NAMED:
        return ngettext("%(count)s bot", "%(count)s bots", len(bots)) % {"count": len(bots)}
    return list_names([known[bot] for bot in bots])


def season_story(table: SeasonTable, known: Mapping[int, str]) -> SeasonStory:
    """The point of a season; `known` are the names of the bots in first place."""
    season, first = table.season, table.first
    if not season.is_open:
        return SeasonStory(_won(first, known), _closed(table), _changed(table))
    if not table.events:
        return SeasonStory(gettext("No events yet"), gettext("The organiser has yet to add the first."))
    still = _still(table)
    if not first:
        return SeasonStory(gettext("No event is finished yet"), _so_far(table), [], still)
    decided = []
    left = table.expected - table.counted
    if season.planned and cannot_be_caught(table.rows, season.best, left, _most(table)):
        decided = [gettext("%(bot)s can no longer be caught.") % {"bot": known[first[0]]}]
    return SeasonStory(_leads(first, known), _so_far(table), decided, still)


def _most(table: SeasonTable) -> float:
    return most_of_an_event(table.season.scheme, table.season.points)


def _won(first: Sequence[int], known: Mapping[int, str]) -> str:
    words = ngettext("%(bots)s won", "%(bots)s share first place", len(first))
    return words % {"bots": names_of(first, known)}


def _leads(first: Sequence[int], known: Mapping[int, str]) -> str:
    words = ngettext("%(bots)s leads", "%(bots)s share the lead", len(first))
    return words % {"bots": names_of(first, known)}


def _so_far(table: SeasonTable) -> str:
    return ngettext(
        "%(done)s of %(all)s event finished", "%(done)s of %(all)s events finished", table.expected
    ) % {"done": table.counted, "all": table.expected}


def _closed(table: SeasonTable) -> str:
    """When a season was closed, and over how many events."""
    closed = table.season.closed_at
    if closed is None:
        return ""
    return ngettext(
        "Closed on %(day)s after %(count)s event", "Closed on %(day)s after %(count)s events", table.counted
    ) % {"day": whole_day(closed), "count": table.counted}


def _changed(table: SeasonTable) -> list[str]:
    """Which events got other results after the season was closed."""
    closed = table.season.closed_at
    counted = table.counting
    return [
        gettext("The results of %(event)s changed after the season closed. The table has not been updated.")
        % {"event": event_title(one.tournament.name)}
        for one in table.events
        if one.tournament_id in counted
        and (not counts(one.tournament) or (closed and (one.tournament.finished_at or closed) > closed))
    ][:MOST_SAID]


def _still(table: SeasonTable) -> list[str]:
    """What is still to come: of an event only what its own page says before its results are shown."""
    waiting = [one.tournament for one in table.events if not counts(one.tournament)]
    said = [words for one in waiting if (words := _waits(one))]
    more = table.season.planned - sum(one.tournament.status != Status.CANCELLED for one in table.events)
    if more > 0:
        said.append(
            ngettext("%(count)s event is still to be added.", "%(count)s events are still to be added.", more)
            % {"count": more}
        )
    elif not said:
        said.append(gettext("The organiser has yet to close the season."))
    return said[:MOST_SAID]


def _waits(tournament: Tournament) -> str:
    """What an event waits for."""
    name = event_title(tournament.name)
    starts = tournament.starts_at or tournament.registration_until
    if tournament.status == Status.DRAFT and starts:
        return gettext("%(event)s starts on %(at)s.") % {"event": name, "at": moment_words(starts)}
    if tournament.status == Status.DRAFT:
        return gettext("%(event)s has not started.") % {"event": name}
    if tournament.status in (Status.RUNNING, Status.PAUSED, Status.FINISHED):
        return gettext("%(event)s is not over.") % {"event": name}
    return ""


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """Everything that the page of a season shows to everybody."""

    season: Season
    story: SeasonStory
    podium: list[SeriesLine]
    events: list[EventLine]
    lines: list[SeriesLine]
    rule: list[str]
    json_url: str
    race: Chart | None = None


def season_page(table: SeasonTable, start: int) -> SeasonPage:
    """A page of a season's table from row `start` on, with what is said above it on the first."""
    shown = lines(table, start, LINES)
    api = f"series/{table.season.series.slug}/standings/"
    top = shown if not start else lines(table, 0, PODIUM + 1)
    podium = [line for line in top if line.place <= PODIUM][: PODIUM + 1]
    known = dict(Bot.objects.filter(pk__in=table.first[:MOST_NAMED]).values_list("pk", "name"))
    return SeasonPage(
        season=table.season,
        story=season_story(table, known),
        podium=podium,
        events=event_lines(table),
        lines=shown,
        rule=rule_words(table.season),
        json_url=f"{path('api-v1', api)}?season={table.season.number}",
        race=None if start else race(table, [line.bot for line in top[:PODIUM]]),
    )


@dataclass(frozen=True, slots=True)
class ArchivedSeason:
    """A closed season with its winners, and their points; on a ladder its winner's rating."""

    season: Season | LadderSeason
    winners: list[Bot]
    points: str = ""
    elo: float | None = None


def points_words(points: float) -> str:
    """Points with at most two decimals, as the reader's language writes them: ``12``, ``7.5``."""
    return number_format(f"{points:.2f}".rstrip("0").rstrip("."))


def points_listed(points: Iterable[float]) -> str:
    """Points for the first places, in order."""
    return ", ".join(f"{one:g}" for one in points)


def rule_words(season: Season) -> list[str]:
    """How a season is scored: what places are worth, what counts, and how ties are broken."""
    if season.scheme == Season.Scheme.SHARE:
        worth = gettext(
            "Each event is worth up to 100 points: a bot gets its score as a percentage of the points it "
            "could have won."
        )
    else:
        words = gettext(
            "Points for the first places: %(points)s. Tied bots each get the average for their places."
        )
        worth = words % {"points": points_listed(season.points)}
    if season.best:
        count = ngettext(
            "Each bot’s best result counts.",
            "Each bot’s %(count)s best results count.",
            season.best,
        ) % {"count": season.best}
    else:
        count = gettext("All results count.")
    return [
        worth,
        count,
        gettext(
            "All versions of a bot share one line in the table. If several play in an event, only the best "
            "one scores."
        ),
        gettext(
            "Ties are broken by the number of first places, then second places and so on, in all events."
        ),
    ]
