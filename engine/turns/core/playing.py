"""Playing a core on: at random or by ranks, counting sequences, and what the end is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.applying import apply, stoppable, stopped
from engine.turns.core.generation import generate, spread_out
from engine.turns.core.plain import expanded
from engine.turns.core.plain_steps import push
from engine.turns.core.state import sized
from engine.turns.core.tables import (
    CRAPETTE_POINTS,
    IRREGULAR,
    NONE,
    P_DISCARD,
    P_HAND,
    P_RESERVE,
    RUSSIAN_POINTS,
    lowest,
)
from engine.turns.core.undoing import undo

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
def picked(core: Core, chance: cython.ulonglong) -> cython.int:
    """One of the legal moves, by a random number of 32 bits."""
    if not core.ready:
        generate(core)
    if not cython.compiled:
        moves = expanded(core.words, 7 if core.wide else 2)
        return moves[(chance * len(moves)) >> 32]
    found: cython.int[452]
    count: cython.ulonglong = spread_out(core, found)
    return found[(chance * count) >> 32]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def play_ranked(core: Core, ranks: cython.p_uchar, lone: cython.int) -> cython.int:
    """`play_ranked`, for the core itself."""
    plies: cython.int = 0
    while not core._over:
        apply(core, ranked(core, ranks, lone))
        plies += 1
        if core.last == IRREGULAR and stoppable(core):
            stopped(core)
    return plies


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def ranked(core: Core, ranks: cython.p_uchar, lone: cython.int) -> cython.int:
    """The legal move of the least rank."""
    found: cython.int = 0
    least: cython.int = 256
    rank: cython.int
    move: cython.int
    house: cython.int
    first: cython.int = 128 * core._turn
    word: cython.ulonglong
    if not core.ready:
        generate(core)
    if core.wide:
        return ranked_wide(core, ranks, lone)
    word = core.words[0]
    while word:  # from house to house
        move = lowest(word)
        word &= word - 1
        rank = ranks[first + move]
        if lone < rank:
            house = core.top[move >> 3]
            if core.below[house] == NONE and core.top[move & 7] != NONE:
                rank = lone
        if rank < least:
            found, least = move, rank
    word = core.words[1]
    first += 64
    while word:
        move = lowest(word)
        word &= word - 1
        rank = ranks[first + move]
        if rank < least:
            found, least = 64 + move, rank
    return found


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def ranked_wide(core: Core, ranks: cython.p_uchar, lone: cython.int) -> cython.int:
    """`ranked` for three and four seats; the legal moves are ready."""
    found: cython.int = 0
    least: cython.int = 256
    rank: cython.int
    move: cython.int
    house: cython.int
    index: cython.int
    first: cython.int = 448 * core._turn
    word: cython.ulonglong
    for index in range(7):
        word = core.words[index]
        while word:
            move = 64 * index + lowest(word)
            word &= word - 1
            rank = ranks[first + move]
            if index < 4 and lone < rank:  # from house to house
                house = core.top[move >> 4]
                if core.below[house] == NONE and core.top[move & 15] != NONE:
                    rank = lone
            if rank < least:
                found, least = move, rank
    return found


@cython.cfunc
def check_ranks(core: Core, ranks: bytes) -> cython.void:
    """Raise ValueError unless there is a rank for each seat and move number."""
    wanted: cython.int = core._players * (448 if core.wide else 128)
    if len(ranks) != wanted:
        raise ValueError(f"expected {wanted} ranks for {core._players} seats, got {len(ranks)}")


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def result(core: Core) -> cython.int:
    """The first part of `worth`."""
    if core._over != 1:
        return 0
    return -1 if core.out & 15 else 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def margin(core: Core) -> cython.int:
    """The second part of `worth`: `sheet.parts` in whole numbers."""
    first: cython.int = 0  # what seat 0 made
    second: cython.int = 0
    reserve: cython.int
    others: cython.int
    won: cython.int
    winner: cython.int
    if core.scheme == CRAPETTE_POINTS:
        first, second = 3 * core.completed[0], 3 * core.completed[1]
        if core.n_emptied and core.emptied & 15:
            second += 10
        elif core.n_emptied:
            first += 10
    if core.scheme and core._over == 1:
        winner = core.out & 15
        reserve = sized(core, P_RESERVE + 1 - winner)
        others = sized(core, P_HAND + 1 - winner) + sized(core, P_DISCARD + 1 - winner)
        if core.scheme == CRAPETTE_POINTS:
            won = (reserve + others) // 2
        else:
            won = others + 2 * reserve + (30 if core.scheme == RUSSIAN_POINTS else 0)
        if winner:
            second += won
        else:
            first += won
    if first or second:
        return first - second
    for winner in range(2):
        others = sized(core, P_RESERVE + winner)
        others += sized(core, P_HAND + winner) + sized(core, P_DISCARD + winner)
        if winner:
            first += others
        else:
            second += others
    return first - second


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def shared(core: Core, seat: cython.int) -> cython.double:
    """How a game of two that is over went for a seat, from 0 to 1. The cards left count for a third, 52 of
    them for as much as half of that."""
    side: cython.int
    left: cython.int
    ahead: cython.int = 0
    won: cython.int = result(core)
    for side in range(2):
        left = sized(core, P_RESERVE + side) + sized(core, P_DISCARD + side) + sized(core, P_HAND + side)
        ahead += left if side != seat else -left
    return 0.5 + ((-won if seat else won) + ahead / 104.0) / 3


@cython.cfunc
@cython.exceptval(check=False)
def perft(core: Core, depth: cython.int) -> cython.ulonglong:
    """`perft` by applying and undoing."""
    if depth <= 0:
        return 1
    if not core.ready:
        generate(core)
    words: cython.ulonglong[7]
    total: cython.ulonglong = 0
    token: cython.ulonglong
    word: cython.ulonglong
    index: cython.int
    count: cython.int = 7 if core.wide else 2
    if not cython.compiled:
        words = [0] * 7
    for index in range(count):
        words[index] = core.words[index]
    for index in range(count):
        word = words[index]
        while word:
            if depth > 1:
                token = push(core, 64 * index + lowest(word))
                total += perft(core, depth - 1)
                undo(core, token)
            else:
                total += 1
            word &= word - 1
    return total
