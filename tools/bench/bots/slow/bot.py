"""Plays like a first bot, and waits before each answer: as long as people like to watch, or as it is told."""

import time

from crapette import run

SECONDS = 0.4
FIRST = 0.0  # more before the first answer
LAST = ["draw", "stop", "turn", "h-d", "wait", "pass"]


once = [FIRST]


def rank(move, houses):
    """How good a move looks: the lower, the better."""
    source, _, target = move.partition("-")
    if target == "f":
        return 0
    if target[:1] != "t":
        return 5 + LAST.index(move) if move in LAST else 2
    if source[0] != "t":
        return 1 if source == "r" else 3
    return 4 if len(houses[int(target[1:]) - 1]) >= len(houses[int(source[1:]) - 1]) else 99


def choose(turn):
    """The best move, after a while."""
    time.sleep(SECONDS + (once.pop() if once else 0.0))
    houses = turn.position.split()[4].split("/")
    return min(turn.legal, key=lambda move: rank(move, houses))


run(choose)
