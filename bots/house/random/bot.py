"""Plays a random legal move. This is the smallest possible bot, and every other bot must beat it."""

import random

from crapette import run


def choose(turn):
    return random.choice(turn.legal)


run(choose, tick=choose, name="random", position=False, events=False)
