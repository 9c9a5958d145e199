"""Seats that a batch plays itself: at random, as the greedy bot, or as the planner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.generation import generate
from engine.turns.core.planning import NO_PLANS, plan_turn
from engine.turns.core.playouts import pick_ranked
from engine.turns.core.tables import lowest

if TYPE_CHECKING:
    from engine.turns.core.core import Core

# Who plays a seat: the caller, or the batch in one of these ways.
CALLER = cython.declare(cython.int, 0)
RANDOM = cython.declare(cython.int, 1)
PLANNER = cython.declare(cython.int, 3)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def count_bits(word: cython.ulonglong) -> cython.int:
    """How many bits are set."""
    return core_count(word) if cython.compiled else word.bit_count()


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def any_legal(core: Core, chance: cython.ulonglong) -> cython.int:
    """A legal move by a random number of 32 bits."""
    count: cython.int = 0
    index: cython.int
    parts: cython.int = 7 if core.wide else 2
    word: cython.ulonglong
    if not core.ready:
        generate(core)
    for index in range(parts):
        count += count_bits(core.words[index])
    count = (chance * count) >> 32
    for index in range(parts):
        word = core.words[index]
        if count >= count_bits(word):
            count -= count_bits(word)
            continue
        while count:
            word &= word - 1
            count -= 1
        return 64 * index + lowest(word)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def answer(
    core: Core,
    policy: cython.int,
    nodes: cython.int,
    ranks: cython.p_uchar,
    lone: cython.int,
    floors: cython.uint,
    chance: cython.ulonglong,
    plan: cython.p_ushort,
) -> cython.int:
    """Write what a seat does next to `plan`, up to the next card turned up; how many moves.

    None of them looks at a card that its seat may not know. The planner that finds no line is greedy.
    """
    length: cython.int = 0
    if policy == RANDOM:
        plan[0] = any_legal(core, chance)
        return 1
    if policy == PLANNER:
        length = plan_turn(core, nodes, plan, NO_PLANS, 0)
    if not length:
        plan[0] = pick_ranked(core, ranks, lone, floors)
        length = 1
    return length
