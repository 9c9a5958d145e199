"""Verifies the ticks of `vitesse` with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.sheet import totals
from kit.verify.comparing import nearest, report
from referee.result import forfeit_ranking
from referee.scores import race_forfeit_parts

if TYPE_CHECKING:
    import engine
    from kit.verify.findings import Findings

Given = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""A ranking and points."""

REFEREES: Final = frozenset({"n", "ply", "ms", "clocks", "comments", "evals", "late"})
"""Fields of a tick that the referee adds to the engine's."""


def push_tick(game: engine.RaceGame, event: dict[str, Any], here: str, found: Findings) -> bool:
    """Carry out the tick and compare; return False if the game cannot continue from here.

    If it differs, what was chosen is taken to be the two legal actions whose tick differs least.
    """
    said = {name: value for name, value in event.items() if name not in REFEREES}
    for seat in event.get("late", ()):
        found.same(here, f"actions[{seat}] of a seat that was late", "wait", event["actions"][seat])
    best = nearest(_pairs(game, said.get("actions")), lambda pair: game.push(*pair), game.pop, said)
    if best is None:
        found.add(here, "actions", f"expected two legal actions, got {said.get('actions')!r}")
        return False
    pair, fields = best
    report(fields, said, here, found)
    if fields:
        game.push(*pair)
    return True


def race_given_away(game: engine.RaceGame, seat: int) -> Given:
    """Ranking and points of a game that a seat forfeited."""
    return forfeit_ranking(game.players, (), seat), totals(race_forfeit_parts(game.position, seat))


def _pairs(game: engine.RaceGame, said: object) -> list[tuple[str, str]]:
    """Yield the choices that are possible: first the recorded one, then all legal ones."""
    legal = [(first, second) for first in game.legal(0) for second in game.legal(1)]
    if isinstance(said, list) and len(said) == 2:
        return [(str(said[0]), str(said[1])), *legal]
    return legal
