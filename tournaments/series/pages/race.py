"""How the leaders of a season got their points, event by event: a drawing with its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from arena.web import charts
from arena.web.variants import event_title
from tournaments.series.pages.words import points_words
from tournaments.series.points import running_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.series.results import SeasonTable

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
