"""The strongest house bot: `sampler`, but spending its time on the decisions that matter.

It tries more lines, by sequential halving (`engine.policies.halving`): all lines play a few samples, the
better half plays twice as many, and so on, until only one is left. All lines of a round play the same
samples, so luck does not distinguish them. Planner's own opinion counts as much as a few samples, because it
sees things that greedy playouts miss. The analysis of games on the site asks the same search.

Once every card is known it solves the ending instead (`engine.turns.search.ending`), and if it wins it plays
the winning line to the end of its turn.

It thinks for up to a second of CPU time when many lines could be right, and for less when its clock is low.
"""

import time
from random import Random

from crapette import Answer, run
from ended import ended
from ticks import Ticks
from winning import winning

from engine.policies.halving import Tried, halved
from engine.policies.planner import search
from engine.turns.knowledge.sampling import cores
from engine.turns.moves import texts

NODES, LINES, SAMPLES = 1500, 32, 12000  # samples are games played out, over all lines
PRIOR = 0.06  # what a card of planner's values is worth beside the mean result of a line
MOST_S, SHARE, RESERVE_S = 0.8, 60, 1.0  # of CPU a question: at most this, this part of the clock, kept back
rng = Random()


def choose(turn):
    until = time.process_time() + seconds(turn)
    game = turn.game()
    names = texts(game.players, game.turn)
    won = winning(turn, names, until, rng)
    if won:
        return Answer(won, comment="won whatever happens", evaluation=1.0)
    found = search(game.core, NODES if until > time.process_time() else 20).lines
    lines = sorted(found, reverse=True)[:LINES]
    best, evaluation, games = lines[0][1], None, 0
    if len(lines) > 1 and game.players == 2:
        tried = [Tried(PRIOR * (worth - lines[0][0]), moves) for worth, moves in lines]
        (chosen,) = halved(
            tried,
            cores(turn.tracker(), rng),
            lambda core: ended(core, game.turn),
            samples=SAMPLES,
            late=lambda: time.process_time() > until,
        )
        best, evaluation = chosen.moves, chosen.mean / 1.5
        games = sum(each.games for each in tried)
    comment = f"{len(lines)} lines, {games} games played out"
    return Answer([names[move] for move in best], comment=comment, evaluation=evaluation)


def seconds(turn):
    """Return the CPU time in seconds to spend on this question, given the clock."""
    return min(MOST_S, max(0.0, turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE)


run(choose, tick=Ticks(), stop=lambda poll: poll.irregular(), name="oracle")
