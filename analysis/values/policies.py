"""Policies that play inside this process, for training the value functions and measuring luck.

A policy looks at a core and returns moves to make one after the other; only the last may turn up a card. No
policy looks at a card that its seat may not know.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine.moves import numbers, texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.core import Core

    Policy = Callable[[Core], tuple[int, ...]]

MOVES: Final = 128
"""Move numbers of a seat (two seats)."""
NEVER: Final = 99
EMPTIES_HOUSE: Final = 34


@cache
def ranks(turn: int) -> tuple[int, ...]:
    """Return the greedy bot's rank of each move number except those between houses; lowest is best."""
    found = []
    for text in texts(2, turn):
        source, _, target = (text or "").partition("-")
        if not text or (source[0] == "t" and target[:1] == "t"):
            found.append(NEVER)
        elif text == "h-d":
            found.append(50)
        elif not target:
            found.append(40)
        else:
            found.append(10 * "frdt".index(target[0]) + "rdht".index(source[0]))
    return tuple(found)


@cache
def rank_table() -> bytes:
    """`ranks` of both seats as `engine.core.Core.play_ranked` takes them."""
    return b"".join(bytes(ranks(turn)).ljust(MOVES, bytes([NEVER])) for turn in range(2))


@cache
def special(turn: int) -> tuple[int, int, frozenset[int]]:
    """The numbers of `draw`, of `pass`, and of all moves of the reserve's top."""
    named = numbers(2, turn)
    return named["draw"], named["pass"], frozenset(named[text] for text in named if text.startswith("r-"))


def best(core: Core) -> int:
    """The greedy bot's move: to a foundation, the opponent's reserve, its discard, a house; else draw.

    Between houses only a last card moves, and only onto another card.
    """
    return int(core.ranked(rank_table(), EMPTIES_HOUSE))


def greedy(core: Core) -> tuple[int, ...]:
    """`best` as a policy."""
    return (best(core),)


def perturbed(rng: Random, share: float) -> Policy:
    """Return a greedy policy that plays a random legal move in a `share` of its decisions."""

    def choose(core: Core) -> tuple[int, ...]:
        if rng.random() < share:
            return (rng.choice(core.legal()),)
        return (best(core),)

    return choose


def planner(nodes: int) -> Policy:
    """Return the planner with a limit of positions per answer: breadth-first to the next unknown card."""

    def choose(core: Core) -> tuple[int, ...]:
        return core.planned(nodes) or (best(core),)

    return choose
