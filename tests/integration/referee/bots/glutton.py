"""Wants more memory than there is for it."""

from crapette import run

run(lambda turn: "x" * (2 << 30))
