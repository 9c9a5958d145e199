"""Ticks of `vitesse` as the engine makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine
from engine.sheet import totals
from tournaments.referee.result import forfeit_ranking
from tournaments.referee.scores import race_forfeit_parts
from tournaments.verify.comparing import Fields, differences, report

if TYPE_CHECKING:
    from tournaments.verify.findings import Findings

Given = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""A ranking and points."""

REFEREES: Final = frozenset({"n", "ply", "ms", "clocks", "comments", "evals", "late"})
"""Fields of a tick that the referee adds to the engine's."""


def push_tick(game: engine.RaceGame, event: dict[str, Any], here: str, found: Findings) -> bool:
    """Carry the tick out and compare; False if the game cannot go on from here.

    If it differs, what was chosen is taken to be the two legal actions whose tick differs least.
    """
    said = {name: value for name, value in event.items() if name not in REFEREES}
    for seat in event.get("late", ()):
        found.same(here, f"actions[{seat}] of a seat that was late", "wait", event["actions"][seat])
    best: tuple[int, tuple[str, str], Fields] | None = None
    for first, second in _pairs(game, said.get("actions")):
        try:
            made = game.push(first, second)
        except engine.IllegalMove:
            continue
        fields = differences(made.as_dict(), said)
        if not fields:
            return True
        if best is None or len(fields) < best[0]:
            best = (len(fields), (first, second), fields)
        game.pop()
    if best is None:
        found.add(here, "actions", f"expected two legal actions, got {said.get('actions')!r}")
        return False
    report(best[2], said, here, found)
    game.push(*best[1])
    return True


def race_given_away(game: engine.RaceGame, seat: int) -> Given:
    """Ranking and points of a game that a seat gave away."""
    return forfeit_ranking(game.players, (), seat), totals(race_forfeit_parts(game.position, seat))


def _pairs(game: engine.RaceGame, said: object) -> list[tuple[str, str]]:
    """What may have been chosen: first what is said, then all that is legal."""
    legal = [(first, second) for first in game.legal(0) for second in game.legal(1)]
    if isinstance(said, list) and len(said) == 2:
        return [(str(said[0]), str(said[1])), *legal]
    return legal
