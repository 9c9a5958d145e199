"""Ratings as tables with their intervals, how they went, and how a bot fares."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import BigAutoField, CharField
from django.utils.translation import gettext

from analysis.intervals import Z95
from arena.web import charts
from arena.web.cache.values import shared_value
from arena.web.database.prepared_sql import Param, some, values_of
from arena.web.i18n.phrases import day_and_time, day_year_and_time, decimal, people_links
from bots.versions import active_on
from tournaments.models import Rating, RatingPoint, Tournament
from tournaments.models.embargo import prepare_query
from tournaments.ratings import won_endings
from tournaments.ratings.leaderboards import MOST_SHOWN, Board, BoardName, board

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.ratings.won_endings import HeldEndings

WIDTH = 200.0
ROWS = 50
"""Lines of a leaderboard on one page."""
MOST_EVENTS = 12
"""Events on a curve, the last ones."""
MOST_POINTS = 12
"""Points of a small curve."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A version's rating; `low`, `middle` and `high` are places on a line of 200 units for drawing."""

    rating: Rating
    place: int
    bot: str
    slug: str
    version: int
    owner: str
    url: str
    interval: str
    low: float
    middle: float
    high: float
    score: float
    trend: str = ""
    """The points of a small curve of its last ratings; empty before the second."""

    @property
    def superiority(self) -> str:
        """The likelihood of being stronger than the next on the list, in percent; never quite 0 or 100."""
        percent = 100 * (self.rating.superiority or 0.0)
        if percent > 99.9:
            return f"> {decimal(99.9, 1)}"
        return decimal(percent, 1) if percent > 99 else f"{percent:.0f}"


@shared_value
def leaders(variant: str, count: int) -> tuple[RatingRow, ...]:
    """The first rows of a leaderboard."""
    return tuple(rows(board(variant), count=count))


def rows(board: Board, start: int = 0, count: int = ROWS) -> list[RatingRow]:
    """Lines of a leaderboard from place `start` (from 0) on, best first."""
    span = max(board.most - board.least, 1.0)
    found = board.ratings(start, count)
    return [_row(rating, place, board.least, span) for place, rating in enumerate(found, start=start + 1)]


def interval_words(low: float | None, high: float | None) -> str:
    """An interval for people: "1480 to 1560", "above 1700", "below 900"."""
    if low is None and high is None:
        return gettext("unknown")
    if high is None:
        return gettext("above %(low)s") % {"low": f"{low:.0f}"}
    if low is None:
        return gettext("below %(high)s") % {"high": f"{high:.0f}"}
    return gettext("%(low)s to %(high)s") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}


def _row(rating: Rating, place: int, least: float, span: float) -> RatingRow:
    low = max(rating.elo - MOST_SHOWN, -math.inf if rating.low is None else rating.low)
    high = min(rating.elo + MOST_SHOWN, math.inf if rating.high is None else rating.high)

    def at(elo: float) -> float:
        return round(6 + (elo - least) / span * (WIDTH - 12), 1)

    bot = rating.version.bot
    return RatingRow(
        rating=rating,
        place=place,
        bot=bot.name,
        slug=bot.slug,
        version=rating.version.number,
        owner=people_links(bot.team),
        url=bot.get_absolute_url(),
        interval=interval_words(rating.low, rating.high),
        low=at(low),
        middle=at(rating.elo),
        high=at(high),
        score=(rating.wins + rating.draws / 2) / rating.games if rating.games else 0,
    )


def of_bot(bot: Bot) -> list[tuple[BoardName, Rating, HeldEndings | None]]:
    """The ratings of a bot's versions with their boards, newest version first, and the endings they held."""
    found = Rating.every.filter(version__bot=bot, games__gt=0).select_related("version")
    held = won_endings.count_held(version__bot=bot)
    return [
        (BoardName.parse(rating.variant), rating, held.get((rating.version_id, rating.variant)))
        for rating in found.order_by("variant", "-version__number")
    ]


def histories(bot: Bot) -> list[charts.Chart]:
    """How a bot's rating went, a chart a board, most played first; lines follow its versions. One query."""
    found: dict[str, list[RatingPoint]] = {}
    for point in RatingPoint.every.filter(version__bot=bot).select_related("version").order_by("at"):
        found.setdefault(point.variant, []).append(point)
    active = {board: version.pk for board, version in active_on(bot).items()}
    drawn = {board: _of_newest(points, active.get(board)) for board, points in found.items()}
    events = _events_of(bot)
    return [
        _chart(variant, points, events.get(variant, []))
        for variant, points in sorted(drawn.items(), key=lambda one: -one[1][-1].games)
        if len(points) > 1 and any(point.error for point in points)  # the anchor stands still
    ]


def _events_of(bot: Bot) -> dict[str, list[tuple[datetime, str]]]:
    """When the last events that a bot played began, ladders left out, with their names, by board."""
    played = (
        Tournament.objects.filter(entries__version__bot=bot, started_at__isnull=False)
        .exclude(format=Tournament.Format.LADDER)
        .distinct()
        .order_by("-started_at")
    )
    found: dict[str, list[tuple[datetime, str]]] = {}
    for one in played[:MOST_EVENTS]:
        if one.started_at is not None:
            found.setdefault(str(BoardName(one.variant, one.players)), []).append((one.started_at, one.name))
    return found


def with_trends(board: str, rows: Sequence[RatingRow]) -> list[RatingRow]:
    """The rows of a board with the curves of their last ratings. One query."""
    versions = [row.rating.version_id for row in rows]
    points = _points(len(versions)).rows(board=board, **values_of(versions)) if versions else []
    by_version = groupby(points, key=lambda one: one[0])
    found = {key: charts.spark([elo for _, elo in kept][-MOST_POINTS:]) for key, kept in by_version}
    return [replace(row, trend=found.get(row.rating.version_id, "")) for row in rows]


@prepare_query
def _points(count: int) -> QuerySet[RatingPoint, tuple[int, float]]:
    """The curves of so many versions on a board."""
    here = RatingPoint.every.filter(variant=Param("board", CharField()))
    points = here.filter(version__pk__in=some(count, BigAutoField())).order_by("version", "at")
    return points.values_list("version", "elo")


def _of_newest(points: list[RatingPoint], active: int | None) -> list[RatingPoint]:
    """The points of the version that plays and of the newest one at each time: another old version that is
    still rated is not the bot any more."""
    newest, kept = 0, []
    for point in points:
        if point.version.number >= newest or point.version_id == active:
            newest = max(newest, point.version.number)
            kept.append(point)
    return kept


def _chart(board: str, found: list[RatingPoint], events: Sequence[tuple[datetime, str]]) -> charts.Chart:
    start, end = found[0].at, found[-1].at
    points = []
    for one in found:
        # A first interval may be wider than all that is known later, and would flatten the drawing.
        half = min(Z95 * one.error, MOST_SHOWN)
        words = gettext("%(when)s: %(elo)s ± %(half)s, version %(version)s, %(games)s games") % {
            "when": day_and_time(one.at),
            "elo": f"{one.elo:.0f}",
            "half": f"{Z95 * one.error:.0f}",
            "version": one.version.number,
            "games": intcomma(one.games),
        }
        seconds = (one.at - start).total_seconds()
        points.append(charts.Point(seconds, one.elo, words, one.elo - half, one.elo + half))
    across = charts.Scale(0, max((end - start).total_seconds(), 1.0))
    up = charts.around([value for one in points for value in (one.low or 0.0, one.high or 0.0)])
    numbers = [one.version.number for one in found]
    changes = [
        charts.Mark(across.at(point.x), f"v{number}", "change")
        for point, number, before in zip(points, numbers, [None, *numbers], strict=False)
        if before is not None and number != before
    ]
    played = [(at, name) for at, name in events if start <= at <= end]
    changes += [charts.Mark(across.at((at - start).total_seconds()), "▾", "change") for at, _ in played]
    unit = gettext("Across: time (UTC)")
    if played:
        unit = f"{unit}. ▾ {', '.join(name for _, name in reversed(played))}"
    shown = charts.thin(points, charts.MOST_ROWS)
    of_point = dict(zip(points, found, strict=True))
    # xgettext:no-python-format
    band = gettext("with its 95 % interval")
    return charts.Chart(
        gettext("Rating in %(game)s") % {"game": BoardName.parse(board).title},
        [charts.curve(charts.Series("first", gettext("Elo"), points, band), across, up)],
        charts.time_marks(start, end),
        charts.marks_up(up),
        [
            gettext("When (UTC)"),
            gettext("Elo"),
            # xgettext:no-python-format
            gettext("95 % interval"),
            gettext("Version"),
            gettext("Games"),
        ],
        [_row_of_point(of_point[point]) for point in shown],
        unit,
        changes,
    )


def _row_of_point(point: RatingPoint) -> list[str]:
    half = Z95 * point.error
    return [
        day_year_and_time(point.at),
        f"{point.elo:.0f}",
        interval_words(point.elo - half, point.elo + half),
        f"v{point.version.number}",
        intcomma(point.games),
    ]
