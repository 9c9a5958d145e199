"""Plays the best-looking single move without looking ahead and without the engine.

It looks only at the legal moves and the public position, and takes the best kind of move available: to a
foundation, onto the opponent's reserve, onto its discard, to a house. That is also the order of precedence of
`crapette-it`, so nobody can rightfully stop it.
"""

from crapette import run
from ticks import tick

SOURCES = "rdht"  # which card to get rid of first: reserve, discard, drawn card, house


def choose(turn):
    houses = turn.position.split()[4].split("/")

    def rank(move):
        source, _, target = move.partition("-")
        if move == "h-d":
            return 5, 0
        if not target:  # draw or pass
            return 4, 0
        if target[0] != "t":
            return "frd".index(target[0]), SOURCES.index(source[0])
        if source[0] == "t":  # between houses only to empty one: anything else could go to and fro for ever
            empties = len(houses[int(source[1:]) - 1]) == 2 and houses[int(target[1:]) - 1] != "."
            return (3, 4) if empties else (6, 0)
        return 3, SOURCES.index(source[0])

    return min(turn.legal, key=rank)


def stop(poll):
    return poll.irregular()


run(choose, tick=tick, stop=stop, name="greedy", events=False)
