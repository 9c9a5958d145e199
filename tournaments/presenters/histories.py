"""How ratings went: the chart of a bot's page, and small curves for lists."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import BigAutoField, CharField
from django.utils.translation import gettext

from analysis.intervals import Z95
from arena.web import charts
from arena.web.i18n.phrases import day_and_time, day_year_and_time
from arena.web.prepared_sql import Given
from bots.selectors import active_on
from tournaments.models import RatingPoint
from tournaments.presenters.ratings import MOST_SHOWN, BoardName, interval_words
from tournaments.selectors.page_queries import some, values_of, worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.presenters.ratings import RatingRow

MOST_POINTS = 12
"""Points of a small curve."""


def histories(bot: Bot) -> list[charts.Chart]:
    """How a bot's rating went, a chart a board, most played first; lines follow its versions. One query."""
    found: dict[str, list[RatingPoint]] = {}
    for point in RatingPoint.objects.filter(version__bot=bot).select_related("version").order_by("at"):
        found.setdefault(point.variant, []).append(point)
    active = {board: version.pk for board, version in active_on(bot).items()}
    drawn = {board: _of_newest(points, active.get(board)) for board, points in found.items()}
    return [
        _chart(variant, points)
        for variant, points in sorted(drawn.items(), key=lambda one: -one[1][-1].games)
        if len(points) > 1 and any(point.error for point in points)  # the anchor stands still
    ]


def with_trends(board: str, rows: Sequence[RatingRow]) -> list[RatingRow]:
    """The rows of a board with the curves of their last ratings. One query."""
    versions = [row.rating.version_id for row in rows]
    points = _points(len(versions)).rows(board=board, **values_of(versions)) if versions else []
    by_version = groupby(points, key=lambda one: one[0])
    found = {key: charts.spark([elo for _, elo in kept][-MOST_POINTS:]) for key, kept in by_version}
    return [replace(row, trend=found.get(row.rating.version_id, "")) for row in rows]


@worded
def _points(count: int) -> QuerySet[RatingPoint, tuple[int, float]]:
    """The curves of so many versions on a board."""
    here = RatingPoint.objects.filter(variant=Given("board", CharField()))
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


def _chart(board: str, found: list[RatingPoint]) -> charts.Chart:
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
    shown = charts.thinned(points, charts.MOST_ROWS)
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
        [_row(of_point[point]) for point in shown],
        gettext("Across: time (UTC)"),
        changes,
    )


def _row(point: RatingPoint) -> list[str]:
    half = Z95 * point.error
    return [
        day_year_and_time(point.at),
        f"{point.elo:.0f}",
        interval_words(point.elo - half, point.elo + half),
        f"v{point.version.number}",
        intcomma(point.games),
    ]
