"""Waits for ever when it is asked: to look at what a waiting bot needs."""

import time

from crapette import run

run(lambda turn: time.sleep(3600), position=False, events=False)
