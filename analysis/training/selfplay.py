"""Whole games inside this process, by policies, as the words of a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.moves import STOP, texts
from engine.table import to_core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.values.policies import Policy
    from engine.position import Position

IRREGULAR: Final = 2
"""The core's mark of an irregular action (RULES 6)."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: the words of its record, and for seat 0 the result (-1, 0, 1) and the margin."""

    words: tuple[str, ...]
    result: float
    margin: float


def play(start: Position, policies: Sequence[Policy]) -> Played:
    """Play a full position to its end; every rightful call of stop is made."""
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
    return Played(tuple(words), *map(float, core.worth()))
