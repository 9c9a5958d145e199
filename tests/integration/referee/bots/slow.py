"""Thinks for 30 ms of CPU about every answer, twenty times, and resigns."""

import time

from crapette import Answer, run

answers = iter(range(20))


def choose(turn):
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    return Answer(turn.legal[0], resign=next(answers, None) is None)


run(choose)
