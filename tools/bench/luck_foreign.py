"""A bot that searches as many do, and as none of the known policies: the planner's way with other values."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from engine.policies.greedy import greedy
from engine.turns.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.turns.moves import texts

if TYPE_CHECKING:
    from engine.turns.core import Core

NODES: Final = 60
RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 4.0, 2.0, 3.0, 1.0, 0.3, 0.01
"""What it thinks of them; the planner thinks 6, 3, 2, 2.5, 0.1 and 0.01."""


def foreign(core: Core) -> tuple[int, ...]:
    """Its moves up to the next unknown card, breadth first."""
    seat, names = core.turn, texts(2, core.turn)
    uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
    lines: deque[tuple[tuple[int, ...], Core]] = deque([((), core.clone())])
    seen = {core.table_hash()}
    most, plan = float("-inf"), ()
    while lines:
        line, here = lines.popleft()
        for move in here.legal():
            if here.irregular(move):
                continue
            name = names[move] or ""
            after = here.clone()
            closes = name in {"draw", "pass"} or here.size(uncovering.get(name[0], DRAWN)) > 1
            if name not in {"draw", "pass"}:
                after.push(move)
            if closes or after.over or after.turn != seat:
                found = _worth(after, seat) - PLY * len(line)
                if found > most:
                    most, plan = found, (*line, move)
            elif len(seen) < NODES and after.table_hash() not in seen:
                seen.add(after.table_hash())
                lines.append(((*line, move), after))
    return plan or (greedy(core),)


def _worth(core: Core, seat: int) -> float:
    if core.over:
        return 1000.0
    other = 1 - seat
    own = RESERVE_CARD * core.size(RESERVE + seat)
    own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
    theirs = core.size(RESERVE + other) + core.size(DISCARD + other)
    empty = sum(core.top_of(house) == NOBODY for house in range(8))
    return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * sum(map(sum, core.heights_of())) - own
