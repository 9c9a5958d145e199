"""Plays any legal move. The smallest bot there is, and the one every other bot must beat."""

import random

from crapette import run


def choose(turn):
    return random.choice(turn.legal)


run(choose, race=choose, name="random", position=False, events=False)
