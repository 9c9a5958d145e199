"""Searches its whole turn, move by move, until the next unknown card.

Every line ends with a move that turns up a card, ends the turn, or draws. The search values the position at
the end of each line and plays the best line in a single answer. It goes breadth-first, so that it finds the
shortest way first, and looks only once at positions that several orders of moves reach. It works on the
engine's core, where `clone` costs 50 ns.
"""

from collections import deque

from crapette import Answer, run
from race import Racer

from engine.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.moves import texts

NODES = 500  # positions looked at for one answer: a few milliseconds
RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 6.0, 3.0, 2.0, 2.5, 0.1, 0.01


def choose(turn):
    game = turn.game()
    seat, names = game.turn, texts(game.players, game.turn)
    uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
    value = valuer(game.players, seat)
    lines = deque([((), game.core.clone())])
    seen = {lines[0][1].table_hash()}
    best, plan = float("-inf"), ()
    while lines:
        line, core = lines.popleft()
        for move in core.legal():
            if core.irregular(move):  # in crapette-it the opponent would stop us
                continue
            name = names[move]
            longer = (*line, name)
            after = core.clone()
            closes = name in ("draw", "pass") or core.size(uncovering.get(name[0], DRAWN)) > 1
            if name not in ("draw", "pass"):
                after.push(move)
            if closes or after.over or after.turn != seat:
                worth = value(after) - PLY * len(line)
                if worth > best:
                    best, plan = worth, longer
            elif len(seen) < NODES and after.table_hash() not in seen:
                seen.add(after.table_hash())
                lines.append((longer, after))
    return Answer(plan, comment=f"{len(seen)} positions, {best:+.1f}")


def valuer(players, seat):
    """Return a function that values a position for the seat, in cards."""
    others = [other for other in range(players) if other != seat]

    def value(core):
        if core.over:
            return 1000.0
        own = RESERVE_CARD * core.size(RESERVE + seat)
        own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
        theirs = sum(core.size(pile + other) for other in others for pile in (RESERVE, DISCARD))
        empty = sum(core.top_of(house) == NOBODY for house in range(4 * players))
        founded = sum(map(sum, core.heights_of()))
        return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * founded - own

    return value


run(choose, race=Racer(), stop=lambda poll: poll.irregular(), name="planner")
