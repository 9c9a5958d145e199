"""What the points of a played game are made of, from its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.scores import FORFEITS
from engine.points.sheet import Part, totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.points.sheet import Parts

UNDIVIDED = "points"
"""The name of a part that stands for all points, of a game whose record does not tell their parts."""


WORDS: Final = {
    "win": "win",
    "cards": "{} in hand, discard",
    "reserve": "{} in reserve × 2",
    "half": "½ of {} cards",
    "emptied": "reserve first",
    "stop": "stop",
    "played": "{} played",
    UNDIVIDED: "points",
}
"""A part as it is written down; the count stands for the braces."""


def in_words(part: Part) -> str:
    """A part without its points: ``4 in reserve × 2``, ``2 foundations × 3``."""
    if part.name == "foundations":
        return f"{part.count} foundation{'' if part.count == 1 else 's'} × {part.points // part.count}"
    return WORDS[part.name].format(part.count)


def game_parts(start: str, events: Iterable[Mapping[str, Any]], result: Mapping[str, Any]) -> Parts:
    """The parts of both seats' points in a finished game of two; they add up to the result's points."""
    try:
        found = _replayed(start, events, result)
    except (engine.EngineError, KeyError, TypeError):
        found = ((), ())
    if list(totals(found)) == list(result["points"]):
        return found
    first, second = ((Part(UNDIVIDED, 1, points),) if points else () for points in result["points"])
    return first, second


def _replayed(start: str, events: Iterable[Mapping[str, Any]], result: Mapping[str, Any]) -> Parts:
    """The parts of the position in which the game ended. Raises EngineError if it cannot be played so."""
    replay = engine.Game.replay(engine.Position.parse(start), engine.words_of(events))
    if replay.error is not None:
        raise replay.error
    position: engine.Position = replay.game.position
    given_up = result["termination"] in FORFEITS
    return position.parts_given_up(result["seat"]) if given_up else position.parts()
