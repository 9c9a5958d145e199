"""Gives nothing away: it plays only its own cards, and leaves the houses as they are.

Every card taken off a house may open something for the opponent, and an empty house is the most useful thing
on the table. So this bot moves cards of its reserve, hand and discard alone: to a foundation, onto the
opponent, or onto a house that already has a card. The lesson is in its rating: well above random play, and
far below `greedy`, which takes from the houses whatever a foundation wants.
"""

from crapette import run
from race import race

TARGETS = "frdt"  # where a card of ours goes, best first: foundation, opponent's reserve, its discard, house
SOURCES = "rdh"  # which card to get rid of first: reserve, discard, drawn card


def choose(turn):
    houses = turn.position.split()[4].split("/")

    def rank(move):
        source, _, target = move.partition("-")
        if move == "h-d":
            return 5, 0
        if not target:  # draw or pass
            return 4, 0
        if source[0] == "t":
            return 7, TARGETS.index(target[0])
        opens = target[0] == "t" and houses[int(target[1:]) - 1] == "."
        return 6 if opens else TARGETS.index(target[0]), SOURCES.index(source[0])

    return min(regular(turn), key=rank)


def regular(turn):
    """Return the moves that nobody can rightfully stop: a turn lost that way is given away, too."""
    if turn.hello["variant"] != "crapette-it":
        return turn.legal
    game = turn.game()
    return [move for move in turn.legal if not game.irregular(move)] or turn.legal


def stop(poll):
    return poll.irregular()


run(choose, race=race, stop=stop, name="cautious", events=False)
