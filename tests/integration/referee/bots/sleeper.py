"""Sleeps for ever."""

import sys
import time

from crapette import run


def choose(turn):
    print("good night", file=sys.stderr, flush=True)
    time.sleep(3600)


run(choose)
