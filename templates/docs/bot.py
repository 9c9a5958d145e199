"""My first bot: foundations first, then the opponent's reserve."""

import random

from crapette import run


def choose(turn):
    for target in ("-f", "-r"):
        for move in turn.legal:
            if target in move:
                return move
    return random.choice(turn.legal)


run(choose, name="first")
