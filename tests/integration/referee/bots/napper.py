"""Plays vitesse, oversleeps tick 3, and leaves in tick 12."""

import sys
import time

from crapette import run


def act(turn):
    if turn.tick == 3:
        time.sleep(2.0)
    if turn.tick == 12:
        sys.exit(3)
    return "turn" if "turn" in turn.legal else "wait"


run(tick=act)
