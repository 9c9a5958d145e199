"""The legal moves of a core, as a set of bits and as a tuple (RULES 3 to 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ONE
from engine.turns.core.plain import expand_words, generating
from engine.turns.core.tables import (
    COUNT,
    EMPTY,
    FILL_FROM_DISCARD,
    FILL_FROM_RESERVE,
    FLIP_WITHOUT_ROOM,
    FOUNDATION_FIRST,
    HIGHER,
    IDLE_LIMIT,
    LAST,
    LOWER,
    NEAR,
    NONE,
    NUMBERS,
    P_DISCARD,
    P_DRAWN,
    P_HAND,
    P_RESERVE,
    RANK,
    SPREAD,
    SPREAD4,
    STRICT,
    TARGET,
    UP1,
    UP2,
)

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def generate(core: Core) -> cython.void:
    """Fill `words` with the set of legal moves, and `best`."""
    words = core.words
    word: cython.int
    core.ready = True
    core.best = 5
    if core._over:
        for word in range(7):
            words[word] = 0
    elif core.top[P_DRAWN] != NONE:
        generate_drawn(core)
    else:
        generate_tops(core)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def usable_houses(core: Core) -> cython.int:
    """The empty houses that the mover may use: in laying some are spoken for (RULES 6)."""
    empty: cython.int = core.at[EMPTY]
    if core.lay and COUNT[empty] <= 2 * (core.lay - 1) + core.quota:
        return 0
    return empty


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def generate_drawn(core: Core) -> cython.void:
    """With a card drawn, only that card can move (RULES 3)."""
    at = core.at
    top = core.top
    players: cython.int = core._players
    most: cython.int = 3 if core.wide else 1
    kind: cython.int = top[P_DRAWN] >> 2
    place: cython.int = core.build + kind
    houses: cython.ulonglong = at[UP1[place]] | at[UP2[place]] | usable_houses(core)
    found: cython.ulonglong = (core.due >> kind) & 1
    room: cython.int = at[EMPTY] != 0 or not core.needs_room
    onto_discards: cython.ulonglong = 0
    onto_reserves: cython.ulonglong = 0
    seat: cython.int = core._turn
    step: cython.int
    for step in range(players - 1):
        seat += 1
        if seat == players:
            seat = 0
        onto_discards |= ((NEAR[top[P_DISCARD + seat] >> 2] >> kind) & 1) << step
        if room:
            onto_reserves |= ((NEAR[top[P_RESERVE + seat] >> 2] >> kind) & 1) << step
    trash: cython.ulonglong = 0 if core.lay else 1
    if core.must_place:  # RULES 5: only if it has no other legal move
        if houses or found or onto_discards or onto_reserves:
            trash = 0
    elif core.order:
        core.best = 1 if found else 2 if onto_reserves else 3 if onto_discards else 4 if houses else 5
        if core.order == STRICT:
            if core.best < 5:
                trash = 0
            if core.best < 4:
                houses = 0
            if core.best < 3:
                onto_discards = 0
            if core.best < 2:
                onto_reserves = 0
        elif core.order == FOUNDATION_FIRST and found:
            houses = onto_discards = onto_reserves = trash = 0
    singles: cython.ulonglong = (found | onto_discards << 1 | onto_reserves << (1 + most)) << (4 * most + 2)
    singles |= trash << (6 * most + 3)
    if not core.wide:
        core.words[0] = 0
        core.words[1] = houses << 40 | singles << 48
        return
    for step in range(6):
        core.words[step] = 0
    core.words[6] = houses << 16 | singles << 32


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def generate_tops(core: Core) -> cython.void:
    """No card is drawn: the tops of the houses and of the own piles, `draw` and `pass`."""
    at = core.at
    top = core.top
    words = core.words
    wide: cython.int = core.wide
    players: cython.int = core._players
    most: cython.int = 3 if wide else 1
    group: cython.int = 2 * most + 1
    stride: cython.int = 16 if wide else 8
    turn: cython.int = core._turn
    due: cython.ulonglong = core.due
    empty: cython.int = at[EMPTY]
    usable: cython.ulonglong = usable_houses(core) if core.lay else empty
    room: cython.int = empty != 0 or not core.needs_room
    fit: cython.ulonglong = core.fit
    reserve: cython.int = top[P_RESERVE + turn] >> 2
    discard: cython.int = top[P_DISCARD + turn] >> 2
    source: cython.int = discard if core.own_discard else EMPTY
    from_reserve: cython.ulonglong = 0
    from_discard: cython.ulonglong = 0
    onto_discards: cython.ulonglong = 0
    onto_reserves: cython.ulonglong = 0
    singles: cython.ulonglong = 0
    near: cython.ulonglong
    houses: cython.ulonglong
    kind: cython.int
    step: cython.int
    seat: cython.int = turn
    place: cython.int
    if reserve != EMPTY:
        singles |= (due >> reserve) & 1
        if room:
            place = core.build + reserve
            from_reserve = at[UP1[place]] | at[UP2[place]] | usable
    if source != EMPTY:
        singles |= ((due >> source) & 1) << group
        place = core.build + source
        from_discard = at[UP1[place]] | at[UP2[place]] | usable
    for step in range(players - 1):
        seat += 1
        if seat == players:
            seat = 0
        kind = top[P_DISCARD + seat] >> 2
        if kind != EMPTY:
            near = NEAR[kind]
            houses = at[LOWER[kind]] | at[HIGHER[kind]]
            onto_discards |= houses << (stride * step)
            singles |= ((near >> source) & 1) << (group + 1 + step)
            if room:
                singles |= ((near >> reserve) & 1) << (1 + step)
        kind = top[P_RESERVE + seat] >> 2
        if room and kind != EMPTY:
            near = NEAR[kind]
            houses = at[LOWER[kind]] | at[HIGHER[kind]]
            onto_reserves |= houses << (stride * step)
            singles |= ((near >> source) & 1) << (group + 1 + most + step)
            singles |= ((near >> reserve) & 1) << (1 + most + step)
    # draw and pass
    hand: cython.int = top[P_HAND + turn] != NONE
    ended: cython.ulonglong = 0
    drawn: cython.ulonglong = 0
    if core.lay:
        step = 2 * (core.lay - 1) + core.quota
        drawn = hand and (core.quota > 0 or COUNT[empty] > step)
        ended = core.quota == 0 or not hand
    elif hand or discard != EMPTY:
        drawn = 1
        if core.drawing == FLIP_WITHOUT_ROOM:
            drawn = hand or not empty
        elif core.drawing == FILL_FROM_DISCARD:
            drawn = not hand or not empty or discard == EMPTY
        elif core.drawing == FILL_FROM_RESERVE:
            drawn = not empty or reserve == EMPTY
    else:
        ended = not (core.drawing == FILL_FROM_RESERVE and empty and reserve != EMPTY)
    between: cython.int = core.idle < IDLE_LIMIT
    if core.order:
        core.best = precedence(fit, singles, onto_discards, onto_reserves, most)
        if core.order == FOUNDATION_FIRST and core.best == 1:
            from_reserve = onto_discards = onto_reserves = drawn = ended = 0
            between = False
            if singles & 1:  # the reserve's top goes before all
                fit = 0
            singles &= 1
        elif core.order == STRICT and core.best < 4:
            from_reserve = from_discard = drawn = ended = 0
            between = False
            singles &= class_mask(core.best, most)
            if core.best != 1:
                fit = 0
            if core.best != 2:
                onto_reserves = 0
            if core.best != 3:
                onto_discards = 0
    singles |= (drawn | ended << 1) << (6 * most + 4)
    # the words
    if not wide:
        words[1] = (
            fit
            | onto_discards << 8
            | onto_reserves << 16
            | from_reserve << 24
            | from_discard << 32
            | singles << 48
        )
        words[0] = 0
        if between:
            words[0] = core.link[0] | SPREAD[empty ^ 255] * usable
        return
    words[4] = fit | onto_discards << 16
    words[5] = onto_reserves | from_reserve << 48
    words[6] = from_discard | singles << 32
    kind = ((1 << 4 * players) - 1) ^ empty
    for step in range(4):
        words[step] = 0
        if between:
            words[step] = core.link[step] | SPREAD4[kind >> 4 * step & 15] * usable


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def class_mask(rank: cython.int, most: cython.int) -> cython.ulonglong:
    """The single bits of reserve and discard whose target has this precedence (RULES 6)."""
    one: cython.ulonglong
    if rank == 1:
        one = 1
    elif rank == 2:
        one = ((ONE << most) - 1) << (1 + most)
    else:
        one = ((ONE << most) - 1) << 1
    return one | one << (2 * most + 1)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def precedence(
    fit: cython.ulonglong,
    singles: cython.ulonglong,
    onto_discards: cython.ulonglong,
    onto_reserves: cython.ulonglong,
    most: cython.int,
) -> cython.int:
    """The highest precedence that any card that can move has a legal move of; 4 if houses or none."""
    if fit or singles & class_mask(1, most):
        return 1
    if onto_reserves or singles & class_mask(2, most):
        return 2
    if onto_discards or singles & class_mask(3, most):
        return 3
    return 4


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def is_irregular(core: Core, move: cython.int) -> cython.int:
    """Whether a legal move breaks the order of precedence; `best` must be ready (RULES 6)."""
    target: cython.int = TARGET[core.base + move]
    if target == P_DISCARD + core._turn:
        return core.best < 5
    return RANK[target] > core.best


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_legal(core: Core, move: cython.int) -> cython.int:
    """Whether a number is that of a legal move."""
    if not core.ready:
        generate(core)
    return 0 <= move < (448 if core.wide else 128) and (core.words[move >> 6] >> (move & 63)) & 1


@cython.cfunc
def check(core: Core, move: cython.int) -> cython.int:
    """Answer the move if it is legal.

    Raises:
        ValueError: it is not.
    """
    if not is_legal(core, move):
        raise ValueError(f"expected one of {list_moves(core)}, got {move}")
    return move


@cython.cfunc
def list_moves(core: Core) -> tuple[int, ...]:
    """The set of legal moves as a tuple."""
    if not cython.compiled:
        return expand_words(core.words, 7 if core.wide else 2)
    found: cython.int[452]
    return core_listed(NUMBERS, found, spread_out(core, found))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def spread_out(core: Core, found: cython.p_int) -> cython.int:
    """Compiled only: write the numbers of the legal moves one after the other; answers how many."""
    count: cython.int = 0
    place: cython.int
    first: cython.int = 0
    index: cython.int
    word: cython.ulonglong
    for index in range(7 if core.wide else 2):
        word = core.words[index]
        place = count
        count += core_count(word)
        while word:  # four at a time: what is written beyond the count is overwritten or left aside
            found[place] = first + core_lowest(word)
            word &= word - 1
            found[place + 1] = first + core_lowest(word | LAST)
            word &= word - 1
            found[place + 2] = first + core_lowest(word | LAST)
            word &= word - 1
            found[place + 3] = first + core_lowest(word | LAST)
            word &= word - 1
            place += 4
        first += 64
    return count


if not cython.compiled:
    generate = generating(generate_drawn, generate_tops)
