"""The lines of play that a valuer sees, and the one that it thinks best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, mix
from engine.turns.core.features import TO_DRAW, TURN_OVER, TURNED_DISCARD, TURNED_RESERVE, look_at_hands, see
from engine.turns.core.generation import is_irregular
from engine.turns.core.planning import (
    MOST_ENDS,
    clear_pile_hashes,
    ends_line,
    hash_after_move,
    is_new,
    switch_line,
)
from engine.turns.core.tables import P_HAND, P_RESERVE, SOURCE, STOPPABLE, lowest
from engine.turns.core.undoing import push, undo

if TYPE_CHECKING:
    from engine.turns.core.core import Core
    from engine.turns.core.valuing import Valuer

UNITS = cython.declare(cython.int, 48)  # of the hidden layer
WINS = cython.declare(cython.double, 1000.0)  # log odds of a line that wins at once
SHORTER = cython.declare(cython.double, 0.0003)  # what a line loses for each move before its last


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def nothing_summed(valuer: Valuer) -> cython.void:
    """Forget the inputs valued last."""
    index: cython.int
    for index in range(valuer.width):
        valuer.summed[index] = 0.0
    for index in range(UNITS):
        valuer.sums[index] = valuer.bias[index]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def value_end(valuer: Valuer, core: Core, seat: cython.int, end: cython.int) -> cython.double:
    """What a position at the end of a line is worth to the seat that played it, in log odds.

    Ends of lines are much alike: only what differs from the one valued before is added to its sums.
    """
    part: cython.double
    worth: cython.double
    index: cython.int
    unit: cython.int
    place: cython.int
    # An array of our own, and a written number of units: so the C compiler adds several at once.
    sums: cython.double[48]
    if not cython.compiled:
        sums = [0.0] * 48
    for unit in range(48):
        sums[unit] = valuer.sums[unit]
    see(core, seat, end, valuer.one_pack, valuer.hands, valuer.seen)
    for index in range(valuer.width):
        part = valuer.seen[index] - valuer.summed[index]
        if part != 0:
            valuer.summed[index] = valuer.seen[index]
            place = index * 48
            for unit in range(48):
                sums[unit] += part * valuer.first[place + unit]
    worth = valuer.last
    for unit in range(48):
        valuer.sums[unit] = sums[unit]
        if sums[unit] > 0:
            worth += valuer.second[unit] * sums[unit]
    return worth


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def best_line(valuer: Valuer, core: Core) -> cython.int:
    """Find the lines of the seat to move and write the best to `plan`; how many moves it has.

    Breadth first over positions as `planning.planned` does it, with the same ends of lines, but what a line
    is worth is not what its moves gain: the end is looked at.
    """
    codes: cython.ulonglong[512]  # the table of each position, one number
    known: cython.ulonglong[1024]  # the same numbers, to be found by their low bits; 0 is free
    line: cython.ushort[512]  # the moves made now, and what takes each back
    tokens: cython.ulonglong[512]
    piles: cython.ulonglong[64]
    words: cython.ulonglong[7]
    if not cython.compiled:
        codes, line, tokens = [0] * 512, [0] * 512, [0] * 512
        known, piles, words = [0] * 1024, [0] * 64, [0] * 7
    index: cython.int
    node: cython.int = 0
    made: cython.int = 0
    best: cython.int = -1
    length: cython.int
    part: cython.int
    parts: cython.int = 7 if core.wide else 2
    move: cython.int
    word: cython.ulonglong
    code: cython.ulonglong
    valuer.count, valuer.size = 0, 1
    if core._over or core.n_out:
        return 0
    look_at_hands(core, valuer.hands)
    nothing_summed(valuer)
    for index in range(1024):
        known[index] = 0
    clear_pile_hashes(piles)
    valuer.parents[0], valuer.moves[0], valuer.depths[0], codes[0] = 0, 0, 0, 1
    known[0] = 1
    while node < valuer.size:
        length = valuer.depths[node]
        index = node
        while index:
            valuer.plan[valuer.depths[index] - 1] = valuer.moves[index]
            index = valuer.parents[index]
        made = switch_line(core, valuer.plan, length, line, tokens, made, piles)
        for part in range(parts):
            words[part] = core.words[part]
        for part in range(parts):
            word = words[part]
            while word:
                move = 64 * part + lowest(word)
                word &= word - 1
                if core.order == STOPPABLE and is_irregular(core, move):
                    continue
                if ends_line(core, move):
                    if valuer.count < MOST_ENDS:
                        index = valuer.count
                        valuer.worths[index] = worth_after(valuer, core, move) - SHORTER * length
                        if valuer.error != 0:
                            valuer.worths[index] += valuer.error * by_chance(valuer)
                        valuer.befores[index], valuer.finals[index] = node, move
                        valuer.count += 1
                        if best < 0 or valuer.worths[index] > valuer.worths[best]:
                            best = index
                elif valuer.size < valuer.nodes:
                    code = hash_after_move(core, move, codes[node], piles)
                    if is_new(known, code):
                        index = valuer.size
                        valuer.parents[index], valuer.moves[index] = node, move
                        valuer.depths[index], codes[index] = length + 1, code
                        valuer.size += 1
        node += 1
    switch_line(core, valuer.plan, 0, line, tokens, made, piles)
    if best < 0:
        return 0
    valuer.worth = valuer.worths[best]
    return trace_line(valuer, best)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def worth_after(valuer: Valuer, core: Core, move: cython.int) -> cython.double:
    """What a line is worth to the seat to move whose last move this is; the core is as before it."""
    seat: cython.int = core._turn
    source: cython.int = SOURCE[core.base + move]
    token: cython.ulonglong
    end: cython.int
    worth: cython.double
    if source == P_HAND + seat:
        return value_end(valuer, core, seat, TO_DRAW)
    ready: cython.uchar = core.ready
    token = push(core, move)
    if core._over or core.n_out:
        worth = WINS if core.n_out else valuer.drawn
    else:
        end = TURNED_DISCARD
        if core._turn != seat:
            end = TURN_OVER
        elif source == P_RESERVE + seat:
            end = TURNED_RESERVE
        worth = value_end(valuer, core, seat, end)
    undo(core, token)
    core.ready = ready  # nobody asked for the legal moves after the line, so those before it still stand
    return worth


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def trace_line(valuer: Valuer, place: cython.int) -> cython.int:
    """Write one of the lines found to `plan`; how many moves it has."""
    node: cython.int = valuer.befores[place]
    length: cython.int = valuer.depths[node]
    valuer.plan[length] = valuer.finals[place]
    while node:
        valuer.plan[valuer.depths[node] - 1] = valuer.moves[node]
        node = valuer.parents[node]
    return length + 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def by_chance(valuer: Valuer) -> cython.double:
    """A random number between -1 and 1, most likely near 0."""
    first: cython.ulonglong
    valuer.state = (valuer.state + GOLDEN) & ALL64
    first = mix(valuer.state)
    return (first >> 40) / 16777216.0 + ((first >> 16) & 0xFFFFFF) / 16777216.0 - 1.0
