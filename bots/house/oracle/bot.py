"""The strongest house bot: a learned value, and games played out, where the hidden cards are guessed.

A net knows how likely it is to win where each line of play ends (`engine.policies.valued`); it learned that
from a few ten thousand games against itself. The best lines are then tried on guesses of the hidden cards. In
each guess all play a few more lines as planner does, the net says who wins then, and greedy players play the
game on from there to its end. The net knows what wins in general, and the games show what these cards make of
it: each alone chooses much worse than both together. Sequential halving (`engine.policies.halving`) spends
the time where it matters: all lines play a few samples, the better half plays twice as many, and so on. It
ends once more samples could hardly change the choice for the better. So a clear decision is quick, and what
that saves is spent on close ones. The analysis of games on the site asks the same search.

Once every card is known it solves the ending instead (`engine.turns.search.ending`), and if it wins it plays
the winning line to the end of its turn.

A person may ask for less than full strength: `weaker` then chooses.
"""

import time
from random import Random

from crapette import Answer, run
from tick_play import Ticks
from weaker import FULL, level_of, notices, weakly
from winning import winning

from engine.policies.greedy import greedily
from engine.policies.halving import halved
from engine.policies.valued import MOST_NODES, lines, tried, valuer
from engine.turns.core import COMPILED
from engine.turns.knowledge.sampling import cores
from engine.turns.moves import texts
from engine.variants import VARIANTS

LINES, MOST_SAMPLES = 10, 10**6  # lines that are tried, samples over all lines
QUICK_NODES = 64  # positions looked at while playing on, and where time is short
MOST_S, SHARE, RESERVE_S = 0.2, 60, 1.0  # of CPU a question: at most this, this part of the clock, kept back
ENOUGH = 0.0005  # it thinks no longer where this part of a game is what more time could bring
rng = Random()
nets = {}  # the valuers of this game, by seats and how many positions they look at


def choose(turn):
    if level_of(turn.hello) != FULL:
        return weakly(turn, rng)
    began, allowed = time.process_time(), seconds(turn)
    names = texts(turn.hello["players"], turn.seat)
    won = winning(turn, names, began + allowed, rng)
    if won:
        return Answer(won, comment="won whatever happens", evaluation=1.0)
    worlds = cores(turn.tracker(), rng)
    world, rules = next(worlds), VARIANTS[turn.hello["variant"]]
    nodes = MOST_NODES if COMPILED and allowed > 0.003 else QUICK_NODES
    found, quick = lines(net(world, rules, nodes), world, LINES), net(world, rules, QUICK_NODES)
    if not found:  # every move is irregular, or another seat was first
        moves = world.planned(nodes) or greedily(world)
        return Answer([names[move] for move in moves])

    def spent():
        return (time.process_time() - began) / allowed

    (best,) = halved(found, worlds, by_net(quick), samples=MOST_SAMPLES, spent=spent, enough=ENOUGH)
    comment = f"{len(found)} lines, {sum(each.games for each in found)} samples"
    if not best.games:
        return Answer([names[move] for move in best.moves], comment=comment)
    return Answer([names[move] for move in best.moves], comment=comment, evaluation=2 * best.mean - 1)


def by_net(quick):
    """Return a judge of lines in a world, which asks this valuer."""
    return lambda world, moves: tried(quick, world, moves).worth


def net(core, rules, nodes):
    """The valuer of this game that looks at so many positions."""
    key = core.players, nodes
    if key not in nets:
        nets[key] = valuer(core, rules, nodes)
    return nets[key]


def seconds(turn):
    """Return the CPU time in seconds to spend on this question, given the clock."""
    return min(MOST_S, max(0.0005, (turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE))


def stop(poll):
    return notices(poll.hello, rng) and poll.irregular()


run(choose, tick=Ticks(), stop=stop, name="oracle")
