"""What places in events are worth in a series, and the table that follows. No database.

Bots that share a place share the points of the places they take up, each the mean. A bot whose versions
play in the same event gets what is best for it, once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GRAND_PRIX: Final = (12, 10, 8, 7, 6, 5, 4, 3, 2, 1)
"""For the first ten places."""
WHOLE: Final = 100
"""What a bot gets for every possible point of an event, where shares count."""
SHARE: Final = "share"


@dataclass(frozen=True, slots=True)
class Finish:
    """How a version ended an event: its place, how many share it, and its share of the points, 0 to 1."""

    bot: int
    place: int
    sharing: int
    share: float


@dataclass(frozen=True, slots=True)
class Score:
    """What a bot got in an event; `counts` is false for what is dropped."""

    place: int
    points: float
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A bot in the table of a season, with its scores by event. Equals share a place."""

    bot: int
    place: int
    points: float
    scores: Mapping[int, Score]


def scores(scheme: str, listed: Sequence[float], finishes: Iterable[Finish]) -> dict[int, Score]:
    """What each bot got in an event: by `listed`, points for the first places, or the share of the points."""
    found: dict[int, Score] = {}
    for one in finishes:
        points = round(WHOLE * one.share, 1) if scheme == SHARE else _worth(listed, one.place, one.sharing)
        before = found.get(one.bot)
        if before is None or (points, -one.place) > (before.points, -before.place):
            found[one.bot] = Score(one.place, points)
    return found


def _worth(listed: Sequence[float], place: int, sharing: int) -> float:
    """The mean of the points for the places that so many bots share."""
    taken = listed[place - 1 : place - 1 + sharing]
    return round(sum(taken) / sharing, 2)


def most_of_an_event(scheme: str, listed: Sequence[float]) -> float:
    """The most that a bot can get in one event."""
    return WHOLE if scheme == SHARE else max(listed, default=0)


def series_table(events: Mapping[int, Mapping[int, Score]], best: int) -> list[SeriesRow]:
    """The table over finished events, in their order; of each bot the `best` scores count (0: all).

    Ties on points are broken by the number of first places, then second places, and so on, in all events.
    Of equal scores the earlier one counts.
    """
    by_bot: dict[int, dict[int, Score]] = {}
    for event, got in events.items():
        for bot, score in got.items():
            by_bot.setdefault(bot, {})[event] = score
    marked = {bot: _marked(got, best) for bot, got in by_bot.items()}
    keys = {bot: _key(got) for bot, got in marked.items()}
    rows: list[SeriesRow] = []
    for index, bot in enumerate(sorted(marked, key=lambda one: (keys[one], one))):
        same = index > 0 and keys[rows[-1].bot] == keys[bot]
        place = rows[-1].place if same else index + 1
        rows.append(SeriesRow(bot, place, -keys[bot][0], marked[bot]))
    return rows


def running_points(got: Mapping[int, Score], events: Sequence[int], best: int) -> list[float]:
    """A bot's points after each of these events in order; of its scores so far the `best` count (0: all).

    Scores that the whole season drops count while they are among the best so far.
    """
    so_far: list[float] = []
    sums = []
    for event in events:
        if event in got:
            so_far.append(got[event].points)
        ranked = sorted(so_far, reverse=True)
        sums.append(round(sum(ranked[:best] if best else ranked), 2))
    return sums


def _marked(got: Mapping[int, Score], best: int) -> dict[int, Score]:
    order = list(got)
    ranked = sorted(order, key=lambda event: (-got[event].points, order.index(event)))
    counted = set(ranked[:best] if best else ranked)
    return {event: replace(score, counts=event in counted) for event, score in got.items()}


def _key(got: Mapping[int, Score]) -> tuple[float, tuple[float, ...]]:
    """What decides the place; smaller is better. The end that never comes is a place behind all others."""
    total = round(sum(one.points for one in got.values() if one.counts), 2)
    return (-total, (*sorted(one.place for one in got.values()), float("inf")))


def cannot_be_caught(rows: Sequence[SeriesRow], best: int, left: int, most: float) -> bool:
    """Whether nobody can reach the leader's points in the `left` events, each worth at `most` so much.

    A bot that has not played yet is a rival as well.
    """
    if not rows or (len(rows) > 1 and rows[1].place == 1):
        return False
    rivals = [[score.points for score in row.scores.values()] for row in rows[1:]]
    reach = 0.0
    for points in (*rivals, []):
        could = sorted((*points, *([most] * left)), reverse=True)
        reach = max(reach, sum(could[:best] if best else could))
    return round(reach, 2) < rows[0].points
