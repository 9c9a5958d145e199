"""Playing a core as the house planner does: its search through a turn (`engine.policies.planner`), in C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, MIX1, mix
from engine.turns.core.generation import generate, is_irregular
from engine.turns.core.tables import (
    NONE,
    P_DISCARD,
    P_DRAWN,
    P_FOUNDATION,
    P_HAND,
    P_PASS,
    P_RESERVE,
    SOURCE,
    STALL_LIMIT,
    STOPPABLE,
    TARGET,
    lowest,
)
from engine.turns.core.undoing import push, undo

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def planned(core: Core, nodes: cython.int, plan: cython.p_uchar) -> cython.int:
    """`planned`, for the core itself: writes the moves to `plan` and answers how many.

    A line is worth what its moves gain, in hundredths of a card (`gained`), less 1 for each move but the
    last. Of equal ones the first found is played. A position is known by the cards that a move takes off
    one pile and puts on another, so no move is made only to look at what it leads to.
    """
    parents: cython.short[512]
    moves: cython.uchar[512]
    depths: cython.short[512]
    gains: cython.int[512]
    codes: cython.ulonglong[512]  # the table of each position, one number
    seen: cython.ulonglong[1024]  # the same numbers, to be found by their low bits; 0 is free
    line: cython.uchar[512]  # the moves made now, and what takes each back
    tokens: cython.ulonglong[512]
    words: cython.ulonglong[2]
    if not cython.compiled:
        parents, moves, depths, gains, codes, line, tokens = ([0] * 512 for _ in range(7))
        seen, words = [0] * 1024, [0, 0]
    index: cython.int
    node: cython.int = 0
    size: cython.int = 1
    made: cython.int = 0
    length: cython.int
    half: cython.int
    move: cython.int
    gain: cython.int
    most: cython.int = -(1 << 30)
    last: cython.int = -1  # the best line's last move, and the position before it
    before: cython.int = 0
    ends: cython.int
    word: cython.ulonglong
    code: cython.ulonglong
    for index in range(1024):
        seen[index] = 0
    parents[0], moves[0], depths[0], gains[0], codes[0] = 0, 0, 0, 0, 1
    seen[0] = 1
    while node < size:
        length = depths[node]
        index = node
        while index:
            plan[depths[index] - 1] = moves[index]
            index = parents[index]
        made = stand_after(core, plan, length, line, tokens, made)
        words[0], words[1] = core.words[0], core.words[1]
        for half in range(2):
            word = words[half]
            while word:
                move = 64 * half + lowest(word)
                word &= word - 1
                if core.order == STOPPABLE and is_irregular(core, move):
                    continue
                ends = ends_line(core, move)
                gain = gains[node] + gained(core, move) if ends < 2 else 1 << 20
                if ends:
                    if gain - length > most:
                        most, last, before = gain - length, move, node
                elif size < nodes:
                    code = tabled(core, move, codes[node])
                    if is_new(seen, code):
                        parents[size], moves[size], depths[size] = node, move, length + 1
                        gains[size], codes[size] = gain, code
                        size += 1
        node += 1
    stand_after(core, plan, 0, line, tokens, made)
    if last < 0:
        return 0
    length = depths[before]
    plan[length] = last
    while before:
        plan[depths[before] - 1] = moves[before]
        before = parents[before]
    return length + 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def stand_after(
    core: Core,
    plan: cython.p_uchar,
    length: cython.int,
    line: cython.p_uchar,
    tokens: cython.p_ulonglong,
    made: cython.int,
) -> cython.int:
    """Go from the position after the `made` moves of `line` to that after the `length` moves of `plan`, with
    its legal moves; `length`."""
    index: cython.int = 0
    while index < made and index < length and line[index] == plan[index]:
        index += 1
    while made > index:
        made -= 1
        undo(core, tokens[made])
    while made < length:
        line[made] = plan[made]
        tokens[made] = push(core, plan[made])
        made += 1
    if not core.ready:
        generate(core)
    return made


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def is_new(seen: cython.p_ulonglong, code: cython.ulonglong) -> cython.int:
    """Whether a table of this number was not seen before; from now on it was."""
    index: cython.int = (code >> 1) & 1023
    while seen[index] and seen[index] != code | 1:
        index = (index + 1) & 1023
    if seen[index]:
        return 0
    seen[index] = code | 1
    return 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def gained(core: Core, move: cython.int) -> cython.int:
    """What the planner thinks that a legal move gains, in hundredths of a card (`policies.planner`)."""
    source: cython.int = SOURCE[core.base + move]
    target: cython.int = TARGET[core.base + move]
    gain: cython.int = 0
    if source == P_PASS or source == P_HAND + core._turn or target == P_DISCARD + core._turn:
        return 0
    if source >= 16:
        gain = 600 if source == P_RESERVE + core._turn else 300
    elif core.below[core.top[source]] == NONE:
        gain = 250
    if target == P_FOUNDATION:
        return gain + 10
    if target >= 16:
        return gain + 200
    return gain - 250 if core.top[target] == NONE else gain


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def ends_line(core: Core, move: cython.int) -> cython.int:
    """Whether the planner looks no further than a legal move: 1 where it uncovers a card, draws or ends
    the turn, 2 where it ends the game, else 0."""
    source: cython.int = SOURCE[core.base + move]
    turn: cython.int = core._turn
    left: cython.int
    if source == P_PASS or source == P_HAND + turn:
        return 1
    if TARGET[core.base + move] == P_DISCARD + turn:
        return 2 if core.stall + 1 >= STALL_LIMIT else 1
    if source < 16:
        return 0
    if source != P_DRAWN and core.below[core.top[source]] != NONE:
        return 1
    left = core.top[P_HAND + turn] != NONE
    left |= source != P_RESERVE + turn and core.top[P_RESERVE + turn] != NONE
    left |= source != P_DISCARD + turn and core.top[P_DISCARD + turn] != NONE
    return 0 if left else 2


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def tabled(core: Core, move: cython.int, code: cython.ulonglong) -> cython.ulonglong:
    """The number of the table after a move of a card, given that before it: a sum over its piles."""
    source: cython.int = SOURCE[core.base + move]
    target: cython.int = TARGET[core.base + move]
    card: cython.int = core.top[source]
    code -= piled(core, source, card, NONE) - piled(core, source, core.below[card], NONE)
    if target == P_FOUNDATION:
        return (code + mix((GOLDEN * (64 + (card >> 2))) & ALL64)) & ALL64
    code += piled(core, target, core.top[target], card) - piled(core, target, core.top[target], NONE)
    return code & ALL64


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def piled(core: Core, pile: cython.int, card: cython.int, upon: cython.int) -> cython.ulonglong:
    """A number for a pile that has this card and what lies below it, and one more upon it: the same for
    every house."""
    one: cython.ulonglong = 1
    if upon != NONE:
        one = (one * MIX1 + (upon >> 2) + 1) & ALL64
    while card != NONE:
        one = (one * MIX1 + (card >> 2) + 1) & ALL64
        card = core.below[card]
    return mix((one + GOLDEN * (1 if pile < 16 else pile + 2)) & ALL64)
