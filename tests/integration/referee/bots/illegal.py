"""Plays a move that is never legal."""

from crapette import run

run(lambda turn: "t1-t1")
