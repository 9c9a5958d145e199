"""Never gives an empty house away: fills one only from its reserve, and moves nothing between houses.

An empty house is the most useful thing on the table, and the opponent could use it next. So this bot plays
like `greedy`, but puts a drawn card or its discard only onto a house with a card, and never empties a house
for its own sake. In russian-bank, where a discarded card cannot be played again, drawn cards fill houses too.
"""

from crapette import run
from ticks import tick

TARGETS = "frdt"  # where a card goes, best first: foundation, opponent's reserve, its discard, a house
SOURCES = "rdht"  # which card to get rid of first: reserve, discard, drawn card, house


def choose(turn):
    houses = turn.position.split()[4].split("/")
    fillers = "rh" if turn.hello["variant"] == "russian-bank" else "r"

    def rank(move):
        source, _, target = move.partition("-")
        if move == "h-d":
            return 5, 0
        if not target:  # draw or pass
            return 4, 0
        if source[0] == target[0] == "t":
            return 7, 0
        fills = target[0] == "t" and houses[int(target[1:]) - 1] == "." and source[0] not in fillers
        return 6 if fills else TARGETS.index(target[0]), SOURCES.index(source[0])

    return min(regular(turn), key=rank)


def regular(turn):
    """Return the moves that nobody can rightfully stop."""
    if turn.hello["variant"] != "crapette-it":
        return turn.legal
    game = turn.game()
    return [move for move in turn.legal if not game.irregular(move)] or turn.legal


def stop(poll):
    return poll.irregular()


run(choose, tick=tick, stop=stop, name="cautious", events=False)
