"""Endings of a finished game that the solver decides: which seats had a won one."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Final

from analysis.serving_guard import thinks
from analysis.values.public_game import Table
from engine import TickPosition, TurnPosition
from engine.turns.search import ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position

POSITIONS: Final = 4_000
"""Looked at for each ending at most: 1 ms. It is done for every game, so only easy endings are decided. Five
times as many take twice the time and find 246 won endings where these find 243 (60 games on 6 boards each).
"""
TURNS: Final = 8
"""So many turns are looked at, the last ones first: a game costs about 1 ms, at most 11 were seen."""


@singledispatch
def won_endings(start: Position, words: Sequence[str]) -> set[int]:
    """The seats of two that the solver saw win at the start of some turn once every card was known.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    raise TypeError(f"expected a position with endings, got {start!r}, {len(words)} words")


@won_endings.register(TurnPosition)
@thinks
def _(start: TurnPosition, words: Sequence[str]) -> set[int]:
    table, turns = Table(start), []
    turn = -1
    for word in words:
        core = table.core
        if core.turn_number != turn and not core.over:
            turn = core.turn_number
            if table.knows_all():
                turns.append(core.clone())
        table.turned_up(word)
    seats: set[int] = set()
    for core in turns[: -TURNS - 1 : -1]:
        found = ending(core, POSITIONS)
        if found is not None and found.result:
            seats.add(core.turn if found.result == 1 else 1 - core.turn)
    return seats


@won_endings.register(TickPosition)
def _(start: TickPosition, words: Sequence[str]) -> set[int]:
    """The solver decides no ending in which both seats act at once."""
    return set()
