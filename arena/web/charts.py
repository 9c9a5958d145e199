"""Line charts as plain values for ``parts/chart.html``: axes, curves with bands, words for points, a table.

Places are percentages of the plot, so that a chart fits any width while its words keep their size. The
template draws them without script or inline style; the table holds the same figures for those who do not see
the drawing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from django.utils.formats import number_format

from arena.web.i18n.phrases import short_day

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DOTS: Final = 60
MOST_ROWS: Final = 24
STEPS: Final = (1, 2, 5, 10)
TIME_STEPS: Final = (
    *(timedelta(minutes=number) for number in (1, 5, 15, 30)),
    *(timedelta(hours=number) for number in (1, 3, 6, 12)),
    *(timedelta(days=number) for number in (1, 2, 7, 14, 30, 90, 365)),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis in percent, and its words; `kind` is grid, bound or change."""

    at: float
    words: str
    kind: str = "grid"


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a curve in percent, and what it says when pointed at."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A polyline in percent, the polygon of its interval (or nothing), and a `note` for the legend."""

    key: str
    name: str
    line: str
    band: str
    dots: list[Dot]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and its table: `rows` have a cell for each of `columns`."""

    title: str
    curves: list[Curve]
    across: list[Mark]
    up: list[Mark]
    columns: list[str]
    rows: list[list[str]]
    unit: str = ""
    extra: list[Mark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval, and what is said of it."""

    x: float
    y: float
    words: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one curve in the order of `x`; `key` chooses the stroke (first, second, third)."""

    key: str
    name: str
    points: Sequence[Point]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """What part of the numbers a chart shows in one direction."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """The place of a value in percent; what is outside is put on the edge."""
        inside = min(max(value, self.low), self.high)
        return round(100 * (inside - self.low) / max(self.high - self.low, 1e-9), 2)


def curve(series: Series, across: Scale, up: Scale) -> Curve:
    """A series on these scales. Every point is in its line, and a few of them are dots."""

    def place(x: float, y: float) -> str:
        return f"{across.at(x)},{100 - up.at(y):.2f}"

    points = series.points
    bounded = [(one.x, one.low, one.high) for one in points if one.low is not None and one.high is not None]
    upper = [place(x, high) for x, _, high in bounded]
    lower = [place(x, low) for x, low, _ in bounded]
    dots = [
        Dot(across.at(one.x), round(100 - up.at(one.y), 2), one.words)
        for one in thin(points, MOST_DOTS)
        if one.words
    ]
    line = " ".join(place(one.x, one.y) for one in points)
    return Curve(series.key, series.name, line, " ".join([*upper, *reversed(lower)]), dots, series.note)


def thin(points: Sequence[Point], most: int) -> list[Point]:
    """Return at most `most` points, evenly spread; always the last one."""
    step = max(1, -(-len(points) // most))
    last = len(points) - 1
    return [one for index, one in enumerate(points) if (last - index) % step == 0]


def round_values(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `most` of them.

    >>> round_values(1480, 1720)
    [1500, 1550, 1600, 1650, 1700]
    """
    span = high - low
    if span <= 0:
        return [low]
    power = 10 ** math.floor(math.log10(span / most))
    step = next(size * power for size in STEPS if span / (size * power) <= most)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def marks_across(scale: Scale, most: int = 6) -> list[Mark]:
    """Marks at round numbers, from left to right."""
    return [
        Mark(scale.at(value), number_format(value, 0, force_grouping=True))
        for value in round_values(scale.low, scale.high, most)
    ]


def marks_up(scale: Scale, most: int = 5) -> list[Mark]:
    """Marks at round numbers, from top to bottom as a drawing counts."""
    return [Mark(100 - mark.at, mark.words) for mark in marks_across(scale, most)]


def time_marks(first: datetime, last: datetime, most: int = 5) -> list[Mark]:
    """Marks at round times of day or dates between two moments (UTC)."""
    span = max(last - first, timedelta(seconds=1))
    step = next((size for size in TIME_STEPS if span / size <= most), span / most)
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    number = math.ceil((first - midnight) / step)
    marks = []
    while midnight + number * step <= last:
        moment = midnight + number * step
        words = f"{moment:%H:%M}" if moment.time() > time() else short_day(moment)
        marks.append(Mark(round(100 * ((moment - first) / span), 2), words))
        number += 1
    return marks


def around(values: Sequence[float], share: float = 0.06) -> Scale:
    """A scale that holds all values with some room on both sides."""
    low, high = min(values), max(values)
    room = max((high - low) * share, 1e-6)
    return Scale(low - room, high + room)


def spark(values: Sequence[float]) -> str:
    """A curve without axes in a box of 100 by 100, for a line of a table; empty for fewer than two values."""
    if len(values) < 2:
        return ""
    up = around(values, 0.1)
    return " ".join(
        f"{100 * index / (len(values) - 1):.1f},{100 - up.at(value):.1f}"
        for index, value in enumerate(values)
    )
