"""Playing a core on: at random or by ranks, counting sequences, and what the end is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.generation import generate, spread_out
from engine.turns.core.plain import expand_words
from engine.turns.core.plain_steps import push
from engine.turns.core.state import pile_size
from engine.turns.core.tables import (
    CRAPETTE_POINTS,
    EMPTY,
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
def pick_move(core: Core, chance: cython.ulonglong) -> cython.int:
    """One of the legal moves, by a random number of 32 bits."""
    if not core.ready:
        generate(core)
    if not cython.compiled:
        moves = expand_words(core.words, 7 if core.wide else 2)
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
    floors: cython.uint = floors_of(core, ranks)
    while not core._over:
        apply(core, pick_ranked(core, ranks, lone, floors))
        plies += 1
        if core.last == IRREGULAR and stoppable(core):
            call_stop(core)
    return plies


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def floors_of(core: Core, ranks: cython.p_uchar) -> cython.uint:
    """With more than two seats, the least rank of a move between houses, of each seat, 8 bits each."""
    seat: cython.int
    move: cython.int
    floor: cython.uint
    floors: cython.uint = 0
    for seat in range(core._players if core.wide else 0):
        floor = 255
        for move in range(448 * seat, 448 * seat + 256):
            if ranks[move] < floor:
                floor = ranks[move]
        floors |= floor << (8 * seat)
    return floors


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def pick_ranked(core: Core, ranks: cython.p_uchar, lone: cython.int, floors: cython.uint) -> cython.int:
    """The legal move of the least rank; `floors` are those of the ranks."""
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
        return ranked_wide(core, ranks, lone, floors >> (8 * core._turn) & 255)
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
def ranked_wide(core: Core, ranks: cython.p_uchar, lone: cython.int, floor: cython.int) -> cython.int:
    """`pick_ranked` for three and four seats; the legal moves are ready.

    Moves between houses are many and mostly rank low, so they are looked at only where they can matter.
    """
    found: cython.int = 0
    least: cython.int = 256
    rank: cython.int
    move: cython.int
    index: cython.int
    first: cython.int = 448 * core._turn
    word: cython.ulonglong
    for index in range(4, 7):
        word = core.words[index]
        while word:
            move = 64 * index + lowest(word)
            word &= word - 1
            rank = ranks[first + move]
            if rank < least:
                found, least = move, rank
    if least < floor:
        if least < lone:
            return found
        move = lone_card(core)
        return found if move < 0 else move
    least += 1  # of equal ones the lowest number is played
    for index in range(4):
        word = core.words[index]
        while word:
            move = 64 * index + lowest(word)
            word &= word - 1
            rank = ranks[first + move]
            if lone < rank and is_lone(core, move >> 4) and core.top[move & 15] != NONE:
                rank = lone
            if rank < least:
                found, least = move, rank
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def is_lone(core: Core, house: cython.int) -> cython.int:
    """Whether a house has one card."""
    return core.top[house] != NONE and core.below[core.top[house]] == NONE


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def lone_card(core: Core) -> cython.int:
    """With more than two seats, the first legal move of a house's only card onto another card, or -1."""
    house: cython.int
    onto: cython.ulonglong
    for house in range(4 * core._players):
        if is_lone(core, house):
            onto = core.words[house >> 2] >> (16 * (house & 3)) & 0xFFFF & ~core.at[EMPTY]
            if onto:
                return 16 * house + lowest(onto)
    return -1


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
        reserve = pile_size(core, P_RESERVE + 1 - winner)
        others = pile_size(core, P_HAND + 1 - winner) + pile_size(core, P_DISCARD + 1 - winner)
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
        others = pile_size(core, P_RESERVE + winner)
        others += pile_size(core, P_HAND + winner) + pile_size(core, P_DISCARD + winner)
        if winner:
            first += others
        else:
            second += others
    return first - second


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def result_share(core: Core, seat: cython.int) -> cython.double:
    """How a game that is over went for a seat, from 0 to 1. The cards left count for a third, 52 of them for
    as much as half of that."""
    return 0.5 + (first_out(core, seat) + left_over(core, seat) / 104.0) / 3


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def first_out(core: Core, seat: cython.int) -> cython.int:
    """1 if this seat went out first, -1 if another did, else 0."""
    if not core.n_out:
        return 0
    return 1 if (core.out & 15) == seat else -1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def left_over(core: Core, seat: cython.int) -> cython.double:
    """How many cards more than this seat the others have left, on average."""
    one: cython.int
    left: cython.int
    own: cython.int = 0
    others: cython.int = 0
    for one in range(core._players):
        left = (
            pile_size(core, P_RESERVE + one)
            + pile_size(core, P_DISCARD + one)
            + pile_size(core, P_HAND + one)
        )
        if one == seat:
            own = left
        else:
            others += left
    return others / (core._players - 1.0) - own


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
