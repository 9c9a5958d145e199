"""Policies that play inside this process, for training the value functions and measuring luck.

A policy looks at a core and returns moves to make one after the other; only the last may turn up a card. No
policy looks at a card that its seat may not know.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
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
RESERVE_CARD, CARD, LOADED, EMPTY_HOUSE, BUILT, PLY = 6.0, 3.0, 2.0, 2.5, 0.1, 0.01


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
        seat, names = core.turn, texts(2, core.turn)
        uncovering = {"r": RESERVE + seat, "d": DISCARD + seat}
        lines: deque[tuple[tuple[int, ...], Core]] = deque([((), core.clone())])
        seen = {core.table_hash()}
        worth, plan = float("-inf"), ()
        while lines:
            line, here = lines.popleft()
            for move in here.legal():
                if here.irregular(move):
                    continue
                name = names[move] or ""
                after = here.clone()
                closes = name in {"draw", "pass"} or here.size(uncovering.get(name[0], DRAWN)) > 1
                if name not in {"draw", "pass"}:
                    after.push(move)
                if closes or after.over or after.turn != seat:
                    found = _worth(after, seat) - PLY * len(line)
                    if found > worth:
                        worth, plan = found, (*line, move)
                elif len(seen) < nodes and after.table_hash() not in seen:
                    seen.add(after.table_hash())
                    lines.append(((*line, move), after))
        return plan or (best(core),)

    return choose


def _worth(core: Core, seat: int) -> float:
    """Return the planner's evaluation of a position, in cards."""
    if core.over:
        return 1000.0
    other = 1 - seat
    own = RESERVE_CARD * core.size(RESERVE + seat)
    own += CARD * (core.size(HAND + seat) + core.size(DISCARD + seat) + core.size(DRAWN))
    theirs = core.size(RESERVE + other) + core.size(DISCARD + other)
    empty = sum(core.top_of(house) == NOBODY for house in range(8))
    return LOADED * theirs + EMPTY_HOUSE * empty + BUILT * sum(map(sum, core.heights_of())) - own
