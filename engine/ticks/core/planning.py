"""Playing a core as the house planner does (`engine.policies.tick_planner`), in C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.ticks.core.actions import choices, play
from engine.ticks.core.playouts import play_greedily
from engine.ticks.core.state import become, count_points, top
from engine.ticks.core.tables import (
    AHEAD,
    BELIEF,
    FROM_RESERVE,
    FROM_SLOT,
    KING,
    NATURAL,
    PILE,
    RESERVE_CARD,
    ROUNDS,
    STOPS,
    SURE,
    TURNS,
)

if TYPE_CHECKING:
    from engine.ticks.core.core import TickCore


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def list_actions(mask: cython.int, options: cython.p_uchar, first: cython.int) -> cython.int:
    """Write what a seat may do from `first` on, what is natural first and stopping last; how many."""
    index: cython.int
    count: cython.int = 0
    for index in range(8):
        if (mask >> NATURAL[index]) & 1:
            options[first + count] = NATURAL[index]
            count += 1
    if mask & (1 << STOPS):
        options[first + count] = STOPS
        count += 1
    return count


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def stop_wins(core: TickCore, seat: cython.int, others: cython.int) -> cython.int:
    """Whether a call of stop in this tick wins whatever the other does."""
    other: cython.int = 1 - seat
    ahead: cython.int = count_points(core, seat) - count_points(core, other)
    gain: cython.int = 0
    action: cython.int
    kind: cython.int
    if others & (1 << STOPS) and (core._tick & 1) == other:
        return ahead > 20  # it may call first
    for action in range(STOPS):
        if (others >> action) & 1:
            if action >= FROM_SLOT:
                kind = core.slots[4 * other + action - FROM_SLOT]
            else:
                kind = top(core, other if action == FROM_RESERVE else 4 + other)
            gain = 11 if kind % 13 == KING else max(gain, 1)
            if gain == 11:
                break
    return ahead + 20 > gain


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def plan_tick(core: TickCore, seat: cython.int, after: TickCore) -> cython.int:
    """`TickCore.planned`, for the core itself; `after` is overwritten."""
    options: cython.uchar[18]  # what it and the other may do, nine each
    counts: cython.int[2]
    worth: cython.double[81]
    guess: cython.double[9]
    if not cython.compiled:
        options, counts, worth, guess = [0] * 18, [0, 0], [0.0] * 81, [0.0] * 9
    mask: cython.int = choices(core, seat)
    others: cython.int = choices(core, 1 - seat)
    mine: cython.int
    theirs: cython.int
    natural: cython.int = 0
    place: cython.int = 0
    total: cython.double
    most: cython.double = 0
    if mask & (1 << STOPS) and stop_wins(core, seat, others):
        return STOPS
    counts[0] = list_actions(mask, options, 0)
    counts[1] = list_actions(others, options, 9)
    if options[0] == TURNS and counts[0] == 2:
        return TURNS
    for mine in range(counts[0]):
        for theirs in range(counts[1]):
            worth[9 * mine + theirs] = worth_of(core, seat, options[mine], options[9 + theirs], after)
    if others & (1 << STOPS) and count_points(core, 1 - seat) + 20 > count_points(core, seat) + 1:
        natural = counts[1] - 1  # stopping is the last choice
    mix_shares(worth, counts[0], counts[1], guess)
    for theirs in range(counts[1]):
        guess[theirs] = (1 - BELIEF) * guess[theirs] + BELIEF * (theirs == natural)
    for mine in range(counts[0]):
        total = 0
        for theirs in range(counts[1]):
            total += worth[9 * mine + theirs] * guess[theirs]
        if mine == 0 or total > most:
            place, most = mine, total
    return options[place]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def worth_of(
    core: TickCore, seat: cython.int, mine: cython.int, theirs: cython.int, after: TickCore
) -> cython.double:
    """How good a tick is for a seat, in points, after both play on naturally for some more."""
    ahead: cython.int
    become(after, core)
    if seat:
        play(after, theirs, mine)
    else:
        play(after, mine, theirs)
    play_greedily(after, NATURAL, False, AHEAD)
    ahead = count_points(after, seat) - count_points(after, 1 - seat)
    if not after._over:
        return ahead + RESERVE_CARD * (cython.cast(cython.int, after.count[1 - seat]) - after.count[seat])
    return ahead + (SURE if ahead > 0 else -SURE if ahead < 0 else 0.0)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def mix_shares(
    worth: cython.p_double, own: cython.int, others: cython.int, shares: cython.p_double
) -> cython.void:
    """Write how the other mixes its actions when both play well, by fictitious play (Brown 1951)."""
    rows: cython.double[9]
    columns: cython.double[9]
    counts: cython.int[9]
    if not cython.compiled:
        rows, columns, counts = [0.0] * 9, [0.0] * 9, [0] * 9
    index: cython.int
    best: cython.int
    for index in range(9):
        rows[index] = columns[index] = 0
        counts[index] = 0
    for _ in range(ROUNDS):
        best = 0
        for index in range(1, own):
            if rows[index] > rows[best]:
                best = index
        for index in range(others):
            columns[index] += worth[9 * best + index]
        best = 0
        for index in range(1, others):
            if columns[index] < columns[best]:
                best = index
        counts[best] += 1
        for index in range(own):
            rows[index] += worth[9 * index + best]
    for index in range(others):
        shares[index] = cython.cast(cython.double, counts[index]) / ROUNDS


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def play_planned(core: TickCore, view: TickCore, after: TickCore, limit: cython.int) -> cython.int:
    """`TickCore.play_planned`, for the core itself."""
    ticks: cython.int = 0
    first: cython.int
    second: cython.int
    show_tops(core, view)
    while not core._over and ticks < limit:
        first = plan_tick(view, 0, after)
        second = plan_tick(view, 1, after)
        play(core, first, second)
        play(view, first, second)
        show_tops(core, view)
        ticks += 1
    return ticks


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def show_tops(core: TickCore, view: TickCore) -> cython.void:
    """Let the view know the cards that lie on top in the game."""
    pile: cython.int
    place: cython.int
    for pile in range(6):
        if core.count[pile] and pile >> 1 != 1:  # nobody sees into a hand
            place = PILE * pile + core.count[pile] - 1
            view.cards[place] = core.cards[place]
