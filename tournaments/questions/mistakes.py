"""The mistakes of a finished game as its page tells them (`analysis.searches.win_chances`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.searches.win_chances import CLEAR, mistakes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMAT: Final = 1
BOT: Final = "planner"


def find_mistakes(key: str, start: str, log: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where the planner would have done clearly better, in the order of the game.

    `mistakes` have `at` (events before it), `ply` (plies before it), `seat`, `cost` in points of a game (1 is
    a win), whether that is `proved`, and `played` and `better` as lists of `move` and `words`.

    Raises:
        BrokenRecord: the record is no game.
    """
    dealt, words = engine.TurnPosition.parse(start), engine.words_of(log)
    places = [number for number, event in enumerate(log) if event["type"] in {"move", "stop"}]
    table, done, rows = engine.TurnGame(dealt), 0, []
    for one in mistakes(dealt, words):
        table.play(words[done : one.first])
        done = one.first
        rows.append(
            {
                "at": places[one.first],
                "ply": table.ply,
                "seat": one.seat,
                "cost": round(one.cost, 3),
                "proved": one.proved,
                "played": describe_line(table, one.played),
                "better": describe_line(table, one.better),
            }
        )
    return {"format": FORMAT, "game": key, "bot": BOT, "clear": CLEAR, "mistakes": rows}


def describe_line(table: engine.TurnGame, line: Sequence[str]) -> list[dict[str, str]]:
    """A line of moves from where the table stands, each as text and in words; the table stays there."""
    told = []
    for move in line:
        told.append({"move": move, "words": engine.Move.parse(move).words(table.position)})
        table.push(move)
    for _ in line:
        table.pop()
    return told
