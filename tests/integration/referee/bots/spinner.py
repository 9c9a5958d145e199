"""Thinks for ever."""

from crapette import run


def choose(turn):
    while True:
        pass


run(choose)
