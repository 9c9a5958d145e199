"""Whole games inside this process, by policies, as the words of a record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Final

from analysis.values.public_game_ticks import TickTable
from engine import TickPosition, TurnPosition
from engine.ticks.position import ACTIONS
from engine.turns.conversion import to_core
from engine.turns.moves import STOP, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position
    from engine.policies.greedy import Policy
    from engine.policies.tick_greedy import TickPolicy

IRREGULAR: Final = 2
"""The core's mark of an irregular action (RULES 6)."""
NODES: Final = 24
"""Positions an answer that the planner looks at where games are many."""


@dataclass(frozen=True, slots=True)
class SelfPlayGame:
    """A finished game: the words of its record, and for seat 0 the result (-1, 0, 1) and the margin."""

    words: tuple[str, ...]
    result: float
    margin: float


@singledispatch
def play(start: Position, policies: Sequence[Any]) -> SelfPlayGame:
    """Play a full position to its end by a policy for each seat (`engine.policies.bots`)."""
    raise TypeError(f"expected a position that is played here, got {start!r}")


@play.register(TurnPosition)
def _(start: TurnPosition, policies: Sequence[Policy]) -> SelfPlayGame:
    """Every rightful call of stop is made."""
    core, _ = to_core(start)
    words: list[str] = []
    names = [texts(2, seat) for seat in range(2)]
    while not core.over:
        seat, number = core.turn, core.turn_number
        for move in policies[seat](core):
            words.append(names[seat][move] or "")
            core.push(move)
            if core.can_stop() and core.state()[7] == IRREGULAR:
                core.stop()
                words.append(STOP)
            if core.over or core.turn_number != number:
                break
    return SelfPlayGame(tuple(words), *map(float, core.worth()))


@play.register(TickPosition)
def _(start: TickPosition, policies: Sequence[TickPolicy]) -> SelfPlayGame:
    """No policy sees a card that its seat may not know."""
    table = TickTable(start)
    words: list[str] = []
    while not table.core.over:
        view = table.view()
        first, second = (policy(view, seat) for seat, policy in enumerate(policies))
        words.append(f"{ACTIONS[first]},{ACTIONS[second]}")
        table.push(first, second)
    ahead = table.core.points(0) - table.core.points(1)
    return SelfPlayGame(tuple(words), float((ahead > 0) - (ahead < 0)), float(ahead))
