"""What decided a person's game: its turning points, in words. Serving processes never import this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TURNING_POINTS: Final = 3
CLEAR: Final = 0.005
"""Points of a game; a smaller change decides nothing."""


def moments(
    start: str, log: Sequence[Mapping[str, Any]], values: Mapping[str, Sequence[float]]
) -> list[dict[str, Any]]:
    """Return the moves after which the expected result changed most, in the order of the game.

    `values` are those of `tournaments.questions.expected`. Each moment has `ply` (the move's own,
    from 1), `seat`, `words`, and in points of a game for seat 0 `change`, `luck` and `skill`.
    """
    win = values["win"]
    changed = {count: win[count] - win[count - 1] for count in range(1, len(win))}
    moves = [count for count in changed if log[count - 1]["type"] == "move"]
    greatest = sorted(moves, key=lambda count: -abs(changed[count]))[:TURNING_POINTS]
    wanted = {count for count in greatest if abs(changed[count]) >= CLEAR}
    game, found = engine.TurnGame(engine.TurnPosition.parse(start)), []
    for count, event in enumerate(log, start=1):
        if event["type"] not in {"move", "stop"}:
            continue
        if count in wanted:
            found.append(
                {
                    "ply": game.ply + 1,
                    "seat": event["seat"],
                    "words": engine.Move.parse(event["move"]).words(game.position),
                    "change": round(changed[count], 3),
                    "luck": values["luck"][count],
                    "skill": values["skill"][count],
                }
            )
        game.play(engine.words_of([event]))
    return found
