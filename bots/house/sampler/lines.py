"""Finds every way to play a turn until the next unknown card, as `planner` does.

Lines get planner's value: what it can see without guessing. The sampling begins where that ends.
"""

from collections import deque

from engine.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.moves import texts

RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 6.0, 3.0, 2.0, 2.5, 0.1, 0.01


def lines_of(start, nodes):
    """Return (value, moves) of every line, best first, within a limit of positions. Moves are numbers.

    A line ends with a move that turns up a card, ends the turn or draws. There is always one.
    """
    seat, names = start.turn, texts(start.players, start.turn)
    uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
    found, open_lines, seen = [], deque([((), start.clone())]), {start.table_hash()}
    while open_lines:
        line, core = open_lines.popleft()
        for move in core.legal():
            if core.irregular(move):  # in crapette-it the opponent would stop us
                continue
            name = names[move]
            after = core.clone()
            closes = name in ("draw", "pass") or core.size(uncovering.get(name[0], DRAWN)) > 1
            if name not in ("draw", "pass"):
                after.push(move)
            if closes or after.over or after.turn != seat:
                found.append((value(after, seat) - PLY * len(line), (*line, move)))
            elif len(seen) < nodes and after.table_hash() not in seen:
                seen.add(after.table_hash())
                open_lines.append(((*line, move), after))
    found.sort(reverse=True)
    return found


def value(core, seat):
    """Return the value of a position for the seat, in cards."""
    if core.over:
        return 1000.0
    own = RESERVE_CARD * core.size(RESERVE + seat)
    own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
    others = [other for other in range(core.players) if other != seat]
    theirs = sum(core.size(pile + other) for other in others for pile in (RESERVE, DISCARD))
    empty = sum(core.top_of(house) == NOBODY for house in range(4 * core.players))
    return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * sum(map(sum, core.heights_of())) - own


def ended(core, seat):
    """Return the value of a finished two-player game for the seat: ±1, plus up to ½ for the cards left."""
    won = core.tally()[2]
    result = 0.0 if not won else 1.0 if won[0] == seat else -1.0
    left = [sum(core.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in (seat, 1 - seat)]
    return result + (left[1] - left[0]) / 104
