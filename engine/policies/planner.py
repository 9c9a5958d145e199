"""The planner of the games of turns: searches its whole turn, move by move, up to the next unknown card.

Every line of play ends in a move that turns up a card, ends the turn, or draws; it is worth what it has led
to by then. The search goes breadth first, so that it finds the shortest way first, and looks once at a
position that is reached twice (moves commute).
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from engine.policies.greedy import greedily
from engine.turns.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.turns.moves import texts

if TYPE_CHECKING:
    from engine.policies.greedy import Policy
    from engine.turns.core import Core

RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 6.0, 3.0, 2.0, 2.5, 0.1, 0.01
"""What counts, in cards: few in its reserve, few left, many left to opponents, empty houses, foundations."""
WON = 1000.0
MOST_NODES = 512
"""So many the core looks at (`Core.planned`)."""


class Line(NamedTuple):
    """A way through the turn: what it is worth to the seat, in cards, and the numbers of its moves."""

    worth: float
    moves: tuple[int, ...]


class Search(NamedTuple):
    """The lines found, in the order in which they were, and how many positions were looked at."""

    lines: list[Line]
    positions: int

    @property
    def best(self) -> Line:
        """The line that is worth most, of equal ones the first."""
        return max(self.lines, key=lambda line: line.worth)


def search(core: Core, nodes: int) -> Search:
    """Return every line of play of the seat to move that a search of `nodes` positions finds.

    Irregular moves (RULES 6) are left out: the opponent would stop them.

    >>> from engine.protocol import Game
    >>> game = Game.deal("crapaud", "00" * 32)
    >>> [texts(2, game.turn)[move] for move in search(game.core, 500).best.moves]
    ['t7-t2', 't6-f', 't3-r0', 'r-t3']
    """
    seat, names = core.turn, texts(core.players, core.turn)
    uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
    found: list[Line] = []
    left: deque[tuple[tuple[int, ...], Core]] = deque([((), core.clone())])
    seen = {core.table_hash()}
    while left:
        moves, here = left.popleft()
        for move in here.legal():
            if here.irregular(move):
                continue
            name = names[move] or ""
            after = here.clone()
            closes = name in {"draw", "pass"} or here.size(uncovering.get(name[0], DRAWN)) > 1
            if name not in {"draw", "pass"}:
                after.push(move)
            if closes or after.over or after.turn != seat:
                found.append(Line(worth(after, seat) - PLY * len(moves), (*moves, move)))
            elif len(seen) < nodes and after.table_hash() not in seen:
                seen.add(after.table_hash())
                left.append(((*moves, move), after))
    return Search(found, len(seen))


def worth(core: Core, seat: int) -> float:
    """How good a position is for a seat, in cards."""
    if core.over:
        return WON
    own = RESERVE_CARD * core.size(RESERVE + seat)
    own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
    others = [other for other in range(core.players) if other != seat]
    theirs = sum(core.size(pile + other) for other in others for pile in (RESERVE, DISCARD))
    empty = sum(core.top_of(house) == NOBODY for house in range(4 * core.players))
    return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * sum(map(sum, core.heights_of())) - own


def planner(nodes: int) -> Policy:
    """Return the planner that looks at `nodes` positions for an answer; the core searches where it can.

    >>> from engine.protocol import Game
    >>> game = Game.deal("crapaud", "00" * 32)
    >>> planner(500)(game.core) == search(game.core, 500).best.moves
    True
    """
    return partial(_planned, nodes)


def _planned(nodes: int, core: Core) -> tuple[int, ...]:
    """`planner` itself, a function of the module so that it can be pickled."""
    if nodes <= MOST_NODES:
        return core.planned(nodes) or greedily(core)
    found = search(core, nodes)
    return found.best.moves if found.lines else greedily(core)
