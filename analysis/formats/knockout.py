"""Decides who wins a knockout match, and the places once the bracket is decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from analysis.formats.bracket import Node
    from analysis.formats.standings import Row

EXTRA_PAIRS: Final = 3
"""Pairs added one by one while a knock-out match is level."""
FINAL_EXTRA: Final = "final_extra"
"""The option of an event with how many its finals have; older events have as many as in other matches."""
FINAL_EXTRA_PAIRS: Final = EXTRA_PAIRS + 4
"""The champion of an event is to be found at the table, so a level final goes on for longer."""

MATCH_POINTS: Final = {"first": (1.0, 0.0), "second": (0.0, 1.0), "drawn": (0.5, 0.5)}
"""What a match to points is worth to both."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of the bracket whose planned pairs are all played, `extra` of them added to break a tie, of
    `most` that may be."""

    label: str
    entrants: tuple[int, int]
    points: tuple[float, float]
    margin: float
    extra: int
    most: int = EXTRA_PAIRS


def most_extra(label: str, nodes: Sequence[Node], options: Mapping[str, object]) -> int:
    """Return how many extra pairs a match of this bracket may have, by its label and its event's options."""
    asked = options.get(FINAL_EXTRA)
    finals = ("GF", "GF2") if nodes[-1].label == "GF2" else (nodes[-1].label,)
    return asked if isinstance(asked, int) and label in finals else EXTRA_PAIRS


def goes_on(match: PlayedMatch, seeds: tuple[int, int]) -> int | None:
    """Return who advances, 0 or 1, or None if another pair must be played.

    More points win. If the points are level after all extra pairs, the larger margin decides (of the first
    over the second), then the better (lower) seed.
    """
    first, second = match.points
    if first != second:
        return 0 if first > second else 1
    if match.extra < match.most:
        return None
    if match.margin:
        return 0 if match.margin > 0 else 1
    return 0 if seeds[0] < seeds[1] else 1


def winners(played: Iterable[PlayedMatch], seeds: Mapping[int, int]) -> tuple[dict[str, int], list[str]]:
    """Return the winner of each match by label, and the labels of level matches that need another pair."""
    won: dict[str, int] = {}
    level: list[str] = []
    for match in played:
        one, other = match.entrants
        side = goes_on(match, (seeds[one], seeds[other]))
        if side is None:
            level.append(match.label)
        else:
            won[match.label] = match.entrants[side]
    return won, level


def order_by_place(rows: Sequence[Row], groups: Iterable[Sequence[int]]) -> list[Row]:
    """Return rows in the order of a decided bracket; `groups` are entrants of equal place, best first."""
    place, places = 1, {}
    for group in groups:
        places.update(dict.fromkeys(group, place))
        place += len(group)
    for row in rows:
        row.place = places.get(row.entrant, row.place)
    return sorted(rows, key=lambda row: row.place)
