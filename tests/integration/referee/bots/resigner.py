"""Gives up at once."""

from crapette import Answer, run

run(lambda turn: Answer(resign=True))
