"""A game's moves for a table on which somebody watches it: the record without what nobody sees there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tournaments.games import records
from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

UNTOLD: Final = ("n", "ply", "ms")
"""Fields of events that a table finds by counting, or does not show."""


def moves(game: Game) -> dict[str, Any]:
    """Return the head of the record, and its events field by field, about half a record's size.

    A page gets the events of a game being played over its websocket, all from one attempt, so there are
    none here.
    """
    going_on = game.status in (Game.Status.QUEUED, Game.Status.RUNNING)
    events = [] if going_on else records.events(game)
    return {**records.head(game), "columns": columns(events)}


def columns(events: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return events as a list of values for each field, ``None`` where an event lacks it, or for clocks where
    nothing changed."""
    found: dict[str, list[Any]] = {}
    clocks: Any = None
    count = 0
    for event in events:
        for name, value in event.items():
            if name in UNTOLD or (name == "clocks" and value == clocks):
                continue
            column = found.setdefault(name, [])
            column.extend([None] * (count - len(column)))
            column.append(value)
        clocks = event.get("clocks")
        count += 1
    return {name: column + [None] * (count - len(column)) for name, column in found.items()}
