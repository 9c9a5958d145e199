"""Plays out its best lines on many guesses at the hidden cards.

Planner's search, which the engine's core does (`Core.plans`), finds every way to play the turn and ranks
them. The best twelve are then tried: the hidden cards are dealt at random, consistent with everything this
seat has seen. Each line is played on the same deals, so that luck cancels out between them, and then all play
greedily to the end. The line with the best average is played. A whole game of two seats takes 10 microseconds
in the compiled core.

Greedy players miss a lot, so planner's own opinion of a line counts as well. In russian-bank, where
moves are forced, the search alone does no better than planner; both together do.

In `vitesse` it plays like planner.
"""

import time
from random import Random

from crapette import Answer, run
from ended import score_end
from ticks import Ticks

from engine.policies import greedy, playout
from engine.turns.knowledge.sampling import cores
from engine.turns.moves import texts

NODES, LINES, SAMPLES = 500, 12, 120
PRIOR = 0.001  # what a hundredth of a card of planner's values is worth beside the mean result of a line
MOST_S, SHARE, RESERVE_S = 0.25, 80, 1.0  # of CPU a question: at most this, this part of the clock, kept back
rng = Random()


def choose(turn):
    until = time.process_time() + seconds(turn)
    game = turn.game()
    names = texts(game.players, game.turn)
    lines = game.core.plans(NODES if until > time.process_time() else 20, LINES)
    if not lines:  # so much can be moved that none of these positions ends the turn
        return names[greedy(game.core)]
    best, comment, evaluation = lines[0][1], "", None
    if len(lines) > 1:
        totals, samples = tried(lines, turn.tracker(), game.turn, until)
        if samples:
            means = [total / samples for total in totals]
            place = max(range(len(lines)), key=lambda place: means[place] + PRIOR * lines[place][0])
            best, evaluation = lines[place][1], means[place] / 1.5
            comment = f"{len(lines)} lines, {samples} samples, planner's choice {place + 1}"
    return Answer([names[move] for move in best], comment=comment, evaluation=evaluation)


def seconds(turn):
    """Return the CPU time in seconds to spend on this question, given the clock."""
    return min(MOST_S, max(0.0, turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE)


def tried(lines, tracker, seat, until):
    """Return the total of each line, and the number of samples played in the time."""
    totals, samples, worlds = [0.0] * len(lines), 0, cores(tracker, rng)
    while samples < SAMPLES and time.process_time() < until:
        world = next(worlds)
        samples += 1
        for place, (_, line) in enumerate(lines):
            core = world.clone()
            for move in line:
                core.push(move)
            totals[place] += score_end(playout(core), seat)
    return totals, samples


run(choose, tick=Ticks(), stop=lambda poll: poll.irregular(), name="sampler")
