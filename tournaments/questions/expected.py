"""The expected result of a finished game after every event, as its replay shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.scores import half_points, margins
from analysis.searches.win_chances import chances
from analysis.values import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.searches.win_chances import Swing

FORMAT: Final = 1


def expected_results(
    key: str, start: str, log: Sequence[Mapping[str, Any]], result: Mapping[str, Any]
) -> dict[str, Any]:
    """The expected result of seat 0 at the start and after every event, and what luck and skill did to it.

    Lists by number of events seen, from 0: `win` in points from 0 to 1, `margin` in cards or points, `luck`
    and `skill` the two parts of each change of `win`. An offer changes nothing; an end that no move brought
    (a forfeit, an agreed draw) was somebody's choice. `result` is the record's. Raises BrokenRecord.
    """
    found = chances(engine.TurnPosition.parse(start), engine.words_of(log)).swings
    rows: list[Swing] = [found[0]]
    moves = iter(found[1:])
    for event in log:
        if event["type"] in {"move", "stop"}:
            rows.append(next(moves))
        else:
            rows.append(_over(rows[-1], result) if event["type"] == "end" else _still(rows[-1]))
    return {
        "format": FORMAT,
        "game": key,
        "version": VERSION,
        "win": [round(min(1.0, max(0.0, 0.5 + row.value / 2)), 3) for row in rows],
        "margin": [round(row.margin, 1) for row in rows],
        "luck": [round(row.luck / 2, 3) for row in rows],
        "skill": [round(row.skill / 2, 3) for row in rows],
    }


def _still(before: Swing) -> Swing:
    """What an event does that is no move."""
    return type(before)(before.value, 0.0, 0.0, before.margin)


def _over(before: Swing, result: Mapping[str, Any]) -> Swing:
    """The end with what was counted; after a move that ended the game that is what it is worth already."""
    value = half_points(result["ranking"], 0) - 1.0
    behind = margins(result["points"], result["left"], result["seat"])[0]
    return type(before)(value, 0.0, value - before.value, behind)
