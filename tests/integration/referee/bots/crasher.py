"""Has a bug."""

from crapette import run

run(lambda turn: [][0])
