"""The strongest house bot: a learned value, and games played on where it is not sure.

A net knows how likely it is to win where each line of play ends (`engine.policies.valued`); it learned that
from a few ten thousand games against itself. The best lines are then tried on guesses of the hidden cards:
both sides play a few more lines by the net, and what it says of the end counts. Sequential halving
(`engine.policies.halving`) spends the time where it matters: all lines play a few samples, the better half
plays twice as many, and so on. The analysis of games on the site asks the same search.

Once every card is known it solves the ending instead (`engine.turns.search.ending`), and if it wins it plays
the winning line to the end of its turn.

It thinks for up to a second of CPU time when many lines could be right, and for less when its clock is low.
"""

import time
from random import Random

from crapette import Answer, run
from tick_play import Ticks
from winning import winning

from engine.policies.greedy import greedily
from engine.policies.halving import Tried, halved
from engine.policies.planner import search
from engine.policies.valued import likely, valuer
from engine.turns.core import COMPILED
from engine.turns.knowledge.sampling import cores
from engine.turns.moves import texts
from engine.variants import VARIANTS

LINES, AHEAD, SAMPLES = 8, 2, 2000  # lines tried, lines played on after each, samples over all lines
NODES, QUICK_NODES, WIDE_NODES = 512, 64, 1500  # for the lines, while playing on, and with more seats
PRIOR = 1.0  # what the net's own opinion counts beside the mean of the samples
MOST_S, SHARE, RESERVE_S = 0.8, 60, 1.0  # of CPU a question: at most this, this part of the clock, kept back
rng = Random()
nets = {}  # the valuers of this game, by how many positions they look at


def choose(turn):
    began, allowed = time.process_time(), seconds(turn)
    names = texts(turn.hello["players"], turn.seat)
    won = winning(turn, names, began + allowed, rng)
    if won:
        return Answer(won, comment="won whatever happens", evaluation=1.0)
    if turn.hello["players"] > 2:
        return Answer([names[move] for move in search(turn.game().core, WIDE_NODES).best.moves])
    worlds = cores(turn.tracker(), rng)
    world = next(worlds)
    nodes = NODES if COMPILED and allowed > 0.003 else QUICK_NODES
    lines = net(turn, world, nodes).lines(world, LINES)
    tried = [Tried(PRIOR * likely(worth), moves) for worth, moves in lines]
    quick = net(turn, world, QUICK_NODES)
    if not tried:
        return names[greedily(world)[0]]  # every move is irregular
    (best,) = halved(
        tried,
        worlds,
        lambda world, moves: quick.chance(world, moves, AHEAD),
        samples=SAMPLES,
        spent=lambda: (time.process_time() - began) / allowed,
    )
    games = sum(each.games for each in tried)
    win = best.mean if best.games else likely(lines[0][0])
    comment = f"{len(lines)} lines, {games} samples: {win:.0%}"
    return Answer([names[move] for move in best.moves], comment=comment, evaluation=2 * win - 1)


def net(turn, core, nodes):
    """The valuer of this game that looks at so many positions."""
    if nodes not in nets:
        nets[nodes] = valuer(core, VARIANTS[turn.hello["variant"]], nodes)
    return nets[nodes]


def seconds(turn):
    """Return the CPU time in seconds to spend on this question, given the clock."""
    return min(MOST_S, max(0.0005, (turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE))


run(choose, tick=Ticks(), stop=lambda poll: poll.irregular(), name="oracle")
