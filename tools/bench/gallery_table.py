"""The gallery's tables: how strong the house bots are on each board, with intervals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis import intervals
from analysis.ratings import elo
from analysis.ratings.match_arrays import Match
from tools.bench.gallery_results import boards, meetings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.bench.gallery_results import Meeting

BOTS: Final = ("random", "cautious", "greedy", "planner", "sampler", "oracle")
ANCHOR: Final = BOTS.index("greedy")
HEADINGS: Final = {
    True: ("bot", "Elo", "± 95 %", "against its neighbour", "pairs", "CPU ms a turn"),
    False: ("bot", "first against planners", "95 %", "by chance", "deals", "CPU ms a turn"),
}
"""By whether there are two seats."""


@dataclass(frozen=True)
class BoardTable:
    """One board's rows under `HEADINGS`, as text."""

    title: str
    pairs: bool
    rows: list[tuple[str, ...]]


def tables(found: dict[str, Meeting], only: Sequence[str] = ()) -> list[BoardTable]:
    """The tables of all boards of which there are results, or of some variants'."""
    made = []
    for variant, seats in boards():
        if only and variant not in only:
            continue
        played = [found[f"{variant}/{seats}/{one}/{two}"] for one, two in meetings((variant, seats))]
        played = [one for one in played if one.played]
        title = variant if seats == 2 else f"{variant}, {seats} seats"
        if played:
            made.append(BoardTable(title, seats == 2, _rated(played) if seats == 2 else _firsts(played)))
    return made


def markdown(made: Iterable[BoardTable]) -> str:
    """The tables as the README shows them: games of two in one table, the others below."""
    lines: list[str] = []
    made = list(made)
    for pairs in (True, False):
        own = [table for table in made if table.pairs is pairs]
        if not own:
            continue
        lines += ["", "| game | " + " | ".join(HEADINGS[pairs]) + " |", "|---|---|" + "---|" * 5]
        for table in own:
            for number, row in enumerate(table.rows):
                game = f"`{table.title}`" if number == 0 else ""
                lines.append("| " + " | ".join((game, *row)) + " |")
    return "\n".join(lines[1:]) + "\n"


def _rated(played: Sequence[Meeting]) -> list[tuple[str, ...]]:
    matches = [Match(BOTS.index(one.first), BOTS.index(one.second), one.penta) for one in played]
    fit = elo.fit(matches, {ANCHOR: elo.ANCHOR_ELO})
    rows: list[tuple[str, ...]] = []
    for number, name in enumerate(BOTS):
        own = [one for one in played if name in (one.first, one.second)]
        if not own:
            continue
        try:
            estimate = fit.estimate(number)
        except KeyError:
            continue
        rated = f"{estimate.elo:.0f}" if estimate.anchored or number == ANCHOR else "?"
        error = "anchor" if number == ANCHOR else f"{fit.reach * estimate.error:.0f}" if rated != "?" else ""
        rows.append(
            (name, rated, error, _score(name, own), str(sum(one.played for one in own)), _cost(name, own))
        )
    return rows


def _score(name: str, own: Sequence[Meeting]) -> str:
    """The score against the neighbour that the bot is measured by, with its interval."""
    one = next((one for one in own if one.first == name), None)
    penta = None if one is None else one.penta
    if one is None and name == "planner":  # the only one that is second in its own step up
        one = next((one for one in own if one.first == "greedy"), None)
        penta = None if one is None else one.penta[::-1]
    if one is None or penta is None:
        return ""
    found = intervals.score_interval(penta)
    assert found is not None  # only meetings with pairs are shown
    other = one.second if one.first == name else one.first
    return f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%}) against {other}"


def _firsts(played: Sequence[Meeting]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in played:
        share = share_interval(one.scores, 12 * one.seats)
        rows.append(
            (
                one.first,
                f"{share.value:.1%}",
                f"{share.low:.1%} – {share.high:.1%}",
                f"{1 / one.seats:.1%}",
                str(one.played),
                _cost(one.first, [one]),
            )
        )
    return rows


def share_interval(scores: Counter[int], whole: int) -> intervals.Interval:
    """The mean of deals' scores as a share of `whole`, by `score_interval`'s idea for any scale."""
    total = scores.total()
    added = Counter({0: intervals.Z95**2 / 4, whole: intervals.Z95**2 / 4})
    weighed = {score: scores[score] + added.get(score, 0.0) for score in {*scores, *added}}
    weight = sum(weighed.values())
    value = sum(score * count for score, count in scores.items()) / (whole * total)
    centre = sum(score * count for score, count in weighed.items()) / (whole * weight)
    spread = sum(count * (score / whole - centre) ** 2 for score, count in weighed.items()) / weight
    half = intervals.Z95 * math.sqrt(spread / weight)
    return intervals.Interval(value, min(max(0.0, centre - half), value), max(min(1.0, centre + half), value))


def _cost(name: str, own: Sequence[Meeting]) -> str:
    ms = sum(one.cpu_ms.get(name, 0) for one in own)
    turns = sum(one.turns.get(name, 0.0) for one in own)
    return f"{ms / max(1.0, turns):.1f}"
