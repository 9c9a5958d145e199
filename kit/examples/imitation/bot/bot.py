"""Plays the line through its turn that leads to the position it has learned to like best.

`engine.policies.planner.search` finds the lines up to the next unknown card; a small net, trained by
`kit.examples.imitation`, says what the position at the end of each is worth. Its weights are in
`weights.json`; plain Python evaluates it in a quarter of a millisecond.
"""

import json
import math
from operator import mul
from pathlib import Path

from crapette import Answer, run
from features import features

from engine.policies import greedy
from engine.policies.planner import search
from engine.turns.moves import texts

NODES, LINES = 100, 60  # positions looked at for lines, and lines that the net is asked about
FIRST, BIAS, SECOND, OFFSET = json.loads(Path(__file__).with_name("weights.json").read_text())


def value(core, seat):
    """Return what a position is worth to a seat; only differences within a turn mean anything."""
    hidden = BIAS[:]
    for index, number in features(core, seat):
        hidden = [total + number * weight for total, weight in zip(hidden, FIRST[index], strict=True)]
    return OFFSET + sum(map(mul, map(math.tanh, hidden), SECOND))


def choose(turn):
    game = turn.game()
    names = texts(game.players, game.turn)
    best, most = (greedy(game.core),), -math.inf  # if no line is found: hundreds of moves end no turn
    for line in sorted(search(game.core, NODES).lines, reverse=True)[:LINES]:
        core = game.core.clone()
        for move in line.moves:
            if names[move] in ("draw", "pass"):
                break  # the position before it is valued: the card is unknown
            core.push(move)
        worth = math.inf if core.over else value(core, game.turn)
        if worth > most:
            best, most = line.moves, worth
    return Answer([names[move] for move in best])


run(choose, stop=lambda poll: poll.irregular(), name="learned")
