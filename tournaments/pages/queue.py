"""What waits to be played and why, and what has been played: days and hours as drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web import charts
from arena.web.cache.pages import everybody, shared_page
from arena.web.i18n.phrases import day_and_time, short_day
from arena.web.processes.capacity import games_at_once
from tournaments.operation import queue as waiting
from tournaments.operation.queue import last_days, last_hours
from tournaments.pages.games import game_rows as games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.operation.queue import Span

LEAST: Final = 2
"""Spans before which there is no curve."""
ROOM: Final = 1.08
"""How high a chart is, as a multiple of its highest point."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What a chart says of spans: its title, the first column of its table, what is across, and a moment in
    words."""

    title: str
    column: str
    across: str
    moment: Callable[[datetime], str]


def days_chart() -> charts.Chart | None:
    """Games by the day; None before the second day."""
    title, column = gettext("Games per day, last two weeks"), gettext("Day (UTC)")
    across = gettext("Across: days (UTC). The last one is not over.")
    return _games(last_days(), _Drawn(title, column, across, short_day))


def hours_chart(spans: Sequence[Span] | None = None) -> charts.Chart | None:
    """Games by the hour, of the last hours unless told otherwise; None before the second hour."""
    return _games(last_hours() if spans is None else spans, _by_the_hour())


def _by_the_hour() -> _Drawn:
    title, column = gettext("Games per hour, last 24 hours"), gettext("Hour (UTC)")
    return _Drawn(title, column, gettext("Across: hours (UTC). The last one is not over."), day_and_time)


def _games(spans: Sequence[Span], drawn: _Drawn) -> charts.Chart | None:
    """Games that ended; and those that began again because of the arena, if there were any."""
    if len(spans) < LEAST:
        return None
    ended = gettext("Games finished")
    rows = [(ended, "first", [one.games for one in spans])]
    if any(one.spoiled for one in spans):
        rows.append((gettext("Games restarted because of us"), "third", [one.spoiled for one in spans]))
    across = charts.Scale(0, (spans[-1].at - spans[0].at).total_seconds())
    up = charts.Scale(0, ROOM * max(1, *(number for *_, numbers in rows for number in numbers)))
    curves = [
        charts.curve(charts.Series(key, name, _points(spans, numbers, name, drawn)), across, up)
        for name, key, numbers in rows
    ]
    return charts.Chart(
        drawn.title,
        curves,
        charts.time_marks(spans[0].at, spans[-1].at),
        charts.marks_up(up),
        [drawn.column, *(name for name, *_ in rows)],
        [
            [drawn.moment(one.at), *(intcomma(numbers[index]) for *_, numbers in rows)]
            for index, one in enumerate(spans)
        ],
        drawn.across,
    )


def _points(spans: Sequence[Span], numbers: Sequence[int], name: str, drawn: _Drawn) -> list[charts.Point]:
    first = spans[0].at
    return [
        charts.Point(
            (one.at - first).total_seconds(), number, f"{drawn.moment(one.at)}: {name} {intcomma(number)}"
        )
        for one, number in zip(spans, numbers, strict=True)
    ]


GAMES_SHOWN = 20


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Checks and tournaments that wait, in the order they will be done, with reasons and times."""
    at_once = games_at_once()
    context = {
        "checks": waiting.waiting_checks(),
        "waiting": waiting.waiting_tournaments(at_once),
        "running": games.running(GAMES_SHOWN),
        "at_once": at_once,
        "chart": hours_chart(),
    }
    return render(request, "tournaments/queue.html", context)
