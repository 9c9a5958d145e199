"""The evidence of a sequential test as a curve and a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 640
HEIGHT: Final = 240
LEFT: Final = 84
RIGHT: Final = 14
TOP: Final = 14
BOTTOM: Final = 34
BEYOND: Final = 1.15
"""The curve is drawn up to so many times what decides."""

MOST_POINTS: Final = 200
MOST_ROWS: Final = 12
STEPS: Final = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Curve:
    """The evidence by one measure: its key, its name, the points of a polyline, and where it ends."""

    key: str
    name: str
    points: str
    ratio: float
    lower: float
    upper: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of an axis: where it is, and what it says."""

    at: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Curves in a box of `WIDTH` x `HEIGHT`; the table has the log-likelihood ratios after so many pairs."""

    curves: list[Curve]
    across: list[Tick]
    up: list[Tick]
    rows: list[tuple[int, list[float | None]]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Series:
    """Log-likelihood ratios after each pair, and the bounds at which they decide."""

    key: str
    name: str
    ratios: Sequence[float]
    lower: float
    upper: float


def chart(found: Sequence[Series]) -> Chart | None:
    """The chart of these series; None before the second pair.

    Their bounds differ, so the height is the share of what decides: 1 accepted, -1 rejected.
    """
    drawn = [one for one in found if one.ratios]
    last = max((len(one.ratios) for one in drawn), default=0)
    if last < 2:
        return None
    kept = _spread(last, MOST_ROWS)
    rows: list[tuple[int, list[float | None]]] = [
        (pairs, [one.ratios[pairs - 1] if pairs <= len(one.ratios) else None for one in drawn])
        for pairs in kept
    ]
    up = [Tick(_y(1), "accepted"), Tick(_y(0), "even"), Tick(_y(-1), "rejected")]
    return Chart([_curve(one, last) for one in drawn], _across(last), up, rows)


def _curve(one: Series, last: int) -> Curve:
    points = " ".join(
        f"{_x(pairs, last):.1f},{_y(_share(one, one.ratios[pairs - 1])):.1f}"
        for pairs in _spread(len(one.ratios), MOST_POINTS)
    )
    start = f"{_x(0, last):.1f},{_y(0):.1f}"
    return Curve(
        one.key, one.name, f"{start} {points}", one.ratios[-1], one.lower, one.upper, len(one.ratios)
    )


def _share(one: Series, ratio: float) -> float:
    """The ratio as a share of the bound on its side."""
    return ratio / one.upper if ratio > 0 else -ratio / one.lower


def _spread(last: int, most: int) -> list[int]:
    """Numbers of pairs from 1 to `last`, evenly spread, at most so many; the last one always."""
    step = max(1, -(-last // most))
    return sorted({*range(step, last + 1, step), last})


def _x(pairs: int, last: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * pairs / last


def _y(share: float) -> float:
    inside = min(max(share, -BEYOND), BEYOND)
    return TOP + (HEIGHT - TOP - BOTTOM) * (BEYOND - inside) / (2 * BEYOND)


def _across(last: int) -> list[Tick]:
    """Round numbers of pairs, four to eight of them where there are enough."""
    size = next(
        step * power for power in (10**n for n in range(9)) for step in STEPS if last / (step * power) <= 8
    )
    return [Tick(_x(pairs, last), f"{pairs:,}") for pairs in range(0, last + 1, size)]
