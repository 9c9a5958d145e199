"""Searches its whole turn, move by move, until the next unknown card.

Every line of play ends in a move that turns up a card, ends the turn, or draws; the search values what each
line has led to by then and plays the best one in a single answer. The search itself is
`engine.policies.planner`: it works on the engine's core, whose `clone` costs 50 ns. With three and four seats
there is much more to look at, so there the core searches (`Core.planned`), and finds the same.
"""

from crapette import Answer, run
from ticks import Ticks

from engine.policies.greedy import greedily
from engine.policies.planner import search
from engine.turns.moves import texts

NODES = 500  # positions looked at for one answer: a few milliseconds


def choose(turn):
    game = turn.game()
    names = texts(game.players, game.turn)
    if game.players > 2:
        return [names[move] for move in game.core.planned(NODES) or greedily(game.core)]
    found = search(game.core, NODES)
    if not found.lines:  # so much can be moved that none of these positions ends the turn
        return [names[move] for move in greedily(game.core)]
    best = found.best
    return Answer(
        [names[move] for move in best.moves], comment=f"{found.positions} positions, {best.worth:+.1f}"
    )


run(choose, tick=Ticks(), stop=lambda poll: poll.irregular(), name="planner")
