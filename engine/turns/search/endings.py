"""Who wins an ending in which every card is known, if both play their best."""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.errors import EngineError
from engine.turns.core import COMPILED, Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.turns.core import Core

POSITIONS: Final = 1_000_000 if COMPILED else 5_000
"""Default number of positions searched: a quarter of a second."""
AT_ONCE: Final = 4_000 if COMPILED else 200
"""After so many it is asked whether there is time left: about a millisecond."""


class Ending(NamedTuple):
    """An ending that is decided."""

    result: int
    """For the seat to move: 1 if it wins, -1 if it loses, 0 if neither seat can force a win."""
    moves: tuple[int, ...]
    """If it wins, moves up to the end of its turn after which it still does; else none."""
    positions: int
    """How many were looked at."""


class _Solvers(local):
    """A solver for each thread: a solver holds 15 MB, and serves every variant."""

    solver: Solver | None = None


_SOLVERS: Final = _Solvers()


def ending(core: Core, positions: int = POSITIONS, late: Callable[[], bool] | None = None) -> Ending | None:
    """Who wins from a core of two seats on in which every card lies where it is known to lie.

    None if looking at about so many positions does not tell, if time is up before (`late` says so; it is
    asked every `AT_ONCE` positions), or if an action has just been made that the opponent might stop.

    Raises:
        EngineError: the game is over, or there are more than two seats.
    """
    if core.over or core.players != 2:
        raise EngineError(f"expected two seats in a game that goes on, got {core.players}, over {core.over}")
    if core.can_stop() and core.state()[7] != 1:
        return None
    positions = min(positions, POSITIONS) if not COMPILED else positions
    solver = _SOLVERS.solver
    if solver is None:
        solver = _SOLVERS.solver = Solver(core)
    else:
        solver.begin(core)
    while True:
        found = solver.search(min(AT_ONCE, positions - solver.positions))
        if found is not None:
            return Ending(found, solver.line(), solver.positions)
        if solver.exhausted or solver.positions >= positions or (late is not None and late()):
            return None
