"""The strongest house bot: `sampler`, but spending its time on the decisions that matter.

It tries more lines, by sequential halving (Karnin, Koren and Somekh 2013): all lines play a few samples, the
better half plays twice as many, and so on, until only two are left. All lines of a round play the same
samples, so luck does not distinguish them. Planner's own opinion counts as much as a few samples, because it
sees things that greedy playouts miss.

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

from engine.policies import playout
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
        best, evaluation, games = halved(lines, turn.tracker(), game.turn, until)
    comment = f"{len(lines)} lines, {games} games played out"
    return Answer([names[move] for move in best], comment=comment, evaluation=evaluation)


def seconds(turn):
    """Return the CPU time in seconds to spend on this question, given the clock."""
    return min(MOST_S, max(0.0, turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE)


def halved(lines, tracker, seat, until):
    """Return the last line left, its value from -1 to 1, and the number of games played."""
    worlds = cores(tracker, rng)
    left = [[PRIOR * (worth - lines[0][0]), 0.0, 0, moves] for worth, moves in lines]
    rounds = max(1, (len(left) - 1).bit_length())
    games = 0
    while len(left) > 1:
        for _ in range(max(1, SAMPLES // rounds // len(left))):
            if time.process_time() > until:
                break
            world = next(worlds)
            for each in left:
                core = world.clone()
                for move in each[3]:
                    core.push(move)
                each[1] += ended(playout(core), seat)
                each[2] += 1
            games += len(left)
        left.sort(key=lambda each: each[0] + each[1] / max(1, each[2]), reverse=True)
        del left[(len(left) + 1) // 2 :]
    _, total, count, moves = left[0]
    return moves, total / max(1, count) / 1.5, games


run(choose, tick=Ticks(), stop=lambda poll: poll.irregular(), name="oracle")
