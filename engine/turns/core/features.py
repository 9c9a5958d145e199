"""What a value function sees of a position: numbers about between -1 and 2, for one seat.

The other seats are told apart by how soon they play after it. What is seen of the third and fourth seat
follows all that is seen with two.

It sees no hidden card: of hands only how many cards of what they may hold would fit somewhere, which
everybody can count, since every card that is not in sight lies in a hand or below the top of a reserve.
Nothing here tells suits of one colour apart, or the colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ONE
from engine.turns.core.opponents import count_bits
from engine.turns.core.state import pile_size
from engine.turns.core.tables import (
    DOWN1,
    DOWN2,
    NEAR,
    NONE,
    P_DISCARD,
    P_HAND,
    P_RESERVE,
)

if TYPE_CHECKING:
    from engine.turns.core.core import Core

SEEN_INPUTS = 122  # how many numbers `see` writes for two seats
"""How many inputs a value function of two seats has."""
SEEN_MORE = 39  # and for each more
"""How many inputs each seat after the second adds."""

TO_DRAW = cython.declare(cython.int, 0)  # where a line of play ends: before the seat draws,
TURNED_RESERVE = cython.declare(cython.int, 1)  # where it has turned up a card of its reserve,
TURN_OVER = cython.declare(cython.int, 2)  # where its turn is over,
TURNED_DISCARD = cython.declare(cython.int, 3)  # or where it has uncovered a card of its discard

CARDS = cython.declare(cython.ulonglong, (1 << 52) - 1)
KINGS = cython.declare(cython.ulonglong, 0x8004002001000)  # the kinds above which there is none
WHOLE = cython.declare(cython.int, 0)  # where each part of the inputs begins
ENDS = cython.declare(cython.int, 31)
SEATS = cython.declare(cython.int, 36)
SEAT = cython.declare(cython.int, 24)  # so many inputs a seat has there
RANKS_SHOWN = cython.declare(cython.int, 88)
SECONDS = cython.declare(cython.int, 101)
SOON = cython.declare(cython.int, 110)
MORE = cython.declare(cython.int, 122)  # the parts of the third seat, and of the fourth after them
SIZES = cython.declare(cython.int, 9)  # so many of them are sizes, before the seat's other inputs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def has(cards: cython.ulonglong, kind: cython.int) -> cython.int:
    """1 if the set has the kind, else 0."""
    return (cards >> kind) & 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def look_at_hands(core: Core, hands: cython.p_ulonglong) -> cython.void:
    """Write the kinds of which at least one lies in a seat's hand, and those of which two or more do, into
    two numbers a seat, and from the eighth on how many cards each hand has: twelve in all. No move changes a
    hand before it draws."""
    seat: cython.int
    card: cython.int
    bit: cython.ulonglong
    for seat in range(core._players):
        hands[2 * seat] = hands[2 * seat + 1] = hands[8 + seat] = 0
        card = core.top[P_HAND + seat]
        while card != NONE:
            bit = ONE << (card >> 2)
            hands[2 * seat + 1] |= hands[2 * seat] & bit
            hands[2 * seat] |= bit
            hands[8 + seat] += 1
            card = core.below[card]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def see(
    core: Core,
    seat: cython.int,
    end: cython.int,
    one_pack: cython.int,
    hands: cython.p_ulonglong,
    into: cython.p_double,
) -> cython.void:
    """Write what the seat that just played a line sees where the line ends (`TO_DRAW` …) into
    `SEEN_INPUTS` numbers and `SEEN_MORE` for each seat more than two; the card it may just have turned up
    from its reserve is not looked at. `one_pack`: nobody can tell which unseen cards are whose. `hands`: as
    `look_at_hands` has them."""
    turned: cython.int = seat if end == TURNED_RESERVE else -1  # whose reserve shows a card nobody knows
    index: cython.int
    card: cython.int
    side: cython.int
    owner: cython.int
    first: cython.int
    players: cython.int = core._players
    build: cython.ulonglong = 0
    tops: cython.ulonglong = 0
    theirs: cython.ulonglong
    loads: cython.ulonglong[4]
    if not cython.compiled:
        loads = [0, 0, 0, 0]
    for index in range(122 + 39 * (players - 2)):
        into[index] = 0.0
    for index in range(4 * players):
        card = core.top[index]
        if card != NONE:
            tops |= ONE << (card >> 2)
            build |= ONE << DOWN1[core.build + (card >> 2)] | ONE << DOWN2[core.build + (card >> 2)]
    build &= CARDS
    for side in range(players):
        owner = sitting(core, seat, side)
        loads[side] = 0
        card = core.top[P_RESERVE + owner]
        if card != NONE and (side or turned < 0):
            loads[side] = NEAR[card >> 2]
        card = core.top[P_DISCARD + owner]
        if card != NONE:
            loads[side] |= NEAR[card >> 2]
    into[ENDS + end] = 1.0
    into[35] = core.stall / 50.0
    for side in range(players):
        owner = sitting(core, seat, side)
        theirs = 0
        for index in range(players):
            if index != side:
                theirs |= loads[index]
        see_sizes(core, owner, side, hands, into)
        first = SEATS + SEAT * side if side < 2 else MORE + 39 * (side - 2) + SIZES
        index = SOON + 6 * side if side < 2 else first + SEAT
        see_seat(core, owner, turned, one_pack, hands, build, tops, loads[side], theirs, first, into)
        see_discard(core, owner, turned, build, theirs, index, into)
        if not side:
            see_houses(core, build, tops, loads[0], theirs, into)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def sitting(core: Core, seat: cython.int, after: cython.int) -> cython.int:
    """The seat that plays so many turns after another."""
    seat += after
    return seat - core._players if seat >= core._players else seat


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def see_sizes(
    core: Core, owner: cython.int, side: cython.int, hands: cython.p_ulonglong, into: cython.p_double
) -> cython.void:
    """How many cards a seat has left, and what it did for points; it plays `side` turns after who looks."""
    first: cython.int = 3 * side if side < 2 else MORE + 39 * (side - 2)
    at: cython.int = 6 + side if side < 2 else first + 3
    step: cython.int = 2 if side < 2 else 1
    reserve: cython.int = pile_size(core, P_RESERVE + owner)
    hand: cython.int = hands[8 + owner]
    discard: cython.int = pile_size(core, P_DISCARD + owner)
    left: cython.int = reserve + hand + discard
    into[first] = reserve / 13.0
    into[first + 1] = hand / 35.0
    into[first + 2] = discard / 35.0
    into[at] = 1.0 if reserve else 0.0
    into[at + step] = left / 48.0
    into[at + 2 * step] = 4.0 / (4 + left)
    into[at + 3 * step] = 0.0 if hand else 1.0
    at = 84 + side if side < 2 else first + 7
    into[at] = core.completed[owner] / 4.0
    into[at + step] = 1.0 if core.n_emptied and (core.emptied & 15) == owner else 0.0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def see_houses(
    core: Core,
    build: cython.ulonglong,
    tops: cython.ulonglong,
    own: cython.ulonglong,
    theirs: cython.ulonglong,
    into: cython.p_double,
) -> cython.void:
    """The foundations, and the houses: empty ones, short ones, what they show, and what lies just below;
    `own` and `theirs` are what can be loaded onto the seat and onto the others."""
    due: cython.ulonglong = core.due
    soon: cython.ulonglong = ((due & ~KINGS) << 1) & ~due
    index: cython.int
    card: cython.int
    kind: cython.int
    depth: cython.int
    empty: cython.int = 0
    single: cython.int = 0
    double: cython.int = 0
    movable: cython.int = 0
    count: cython.int = 0
    ready: cython.int = 0
    height: cython.int = 0
    for index in range(4 * core._players):
        card = core.top[index]
        if card == NONE:
            empty += 1
            continue
        kind = card >> 2
        into[RANKS_SHOWN + kind % 13] += 0.5
        if core.below[card] == NONE:
            single += 1
            movable += has(build, kind)
        else:
            kind = core.below[card] >> 2
            if core.below[core.below[card]] == NONE:
                double += 1
            into[SECONDS] += 0.5 * has(due, kind)
            into[SECONDS + 1] += 0.5 * has(soon, kind)
            into[SECONDS + 2] += 0.5 * has(theirs, kind)
            into[SECONDS + 3] += 0.5 * has(own, kind)
            into[SECONDS + 4] += 0.5 * has(build, kind)
        depth = 0
        while card != NONE:
            kind = card >> 2
            if has(due, kind):
                ready += 1
                into[24] += 1.0 / (3 * (1 + depth))
            depth += 1
            card = core.below[card]
        count += depth
        into[SECONDS + 5] += 0.5 * (kind % 13 == 12)  # of the card at the bottom
        into[SECONDS + 6] += (kind % 13) / 40.0
        into[SECONDS + 7] += 0.5 * has(build, kind)
    for index in range(16):
        height += core.heights[index]
    into[25] = height / (52.0 * core._players)
    if empty:
        into[13 + (empty if empty < 4 else 4)] = 1.0
    into[18] = empty / 4.0
    into[19] = single / 4.0
    into[20] = double / 4.0
    into[21] = movable / 2.0
    into[22] = count / 30.0
    into[23] = ready / 4.0
    into[26] = count_bits(build) / 13.0
    into[27] = count_bits(due) / 8.0
    into[28] = count_bits(tops & due) / 2.0
    into[29] = count_bits(tops & theirs) / 2.0
    into[30] = count_bits(tops & own) / 2.0
    into[SECONDS + 8] = count_bits(tops & soon) / 2.0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def see_seat(
    core: Core,
    owner: cython.int,
    turned: cython.int,
    one_pack: cython.int,
    hands: cython.p_ulonglong,
    build: cython.ulonglong,
    tops: cython.ulonglong,
    own: cython.ulonglong,
    theirs: cython.ulonglong,
    first: cython.int,
    into: cython.p_double,
) -> cython.void:
    """What a seat can do with the cards it may still turn up, and with the tops of its reserve and discard;
    nobody knows the top of the reserve of seat `turned`."""
    due: cython.ulonglong = core.due
    placed: cython.ulonglong = due | build | theirs
    pile: cython.int
    card: cython.int
    kind: cython.int
    count: cython.int
    whose: cython.int
    bit: cython.ulonglong
    once: cython.ulonglong = hands[2 * owner]
    twice: cython.ulonglong = hands[2 * owner + 1]
    room: cython.int = core.at[52]
    at: cython.int = first + 6
    for pile in range(core._players if one_pack else 1):
        whose = sitting(core, owner, pile)
        if pile:
            twice |= hands[2 * whose + 1] | (once & hands[2 * whose])
            once |= hands[2 * whose]
    for pile in range(core._players if one_pack else 1):
        whose = sitting(core, owner, pile)
        card = core.top[P_RESERVE + whose]
        if card != NONE and whose != turned:
            card = core.below[card]
        while card != NONE:
            bit = ONE << (card >> 2)
            twice |= once & bit
            once |= bit
            card = core.below[card]
    count = count_bits(once) + count_bits(twice)
    if count:
        into[first] = 2.0 / count * (count_bits(once & due) + count_bits(twice & due))
        into[first + 1] = 1.0 / count * (count_bits(once & build) + count_bits(twice & build))
        into[first + 2] = 2.0 / count * (count_bits(once & theirs) + count_bits(twice & theirs))
        into[first + 3] = 2.0 / count * (count_bits(once & placed) + count_bits(twice & placed))
        into[first + 4] = 2.0 / count * (count_bits(once & own) + count_bits(twice & own))
    into[first + 5] = count / 40.0
    for pile in range(2):
        card = core.top[(P_RESERVE if pile == 0 else P_DISCARD) + owner]
        if pile == 0 and owner == turned:
            into[at] = 1.0
        elif card == NONE:
            into[at + 1] = 1.0
        else:
            kind = card >> 2
            into[at + 2] = has(due, kind)
            into[at + 3] = has(build, kind)
            into[at + 4] = has(theirs, kind)
            into[at + 5] = (kind % 13 - core.heights[4 * (kind // 13)]) / 13.0
            into[at + 6] = (kind % 13) / 13.0
            into[at + 7] = count_bits(NEAR[kind] & tops)
            into[at + 8] = 1.0 if room else has(placed, kind)
        at += 9


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def see_discard(
    core: Core,
    owner: cython.int,
    turned: cython.int,
    build: cython.ulonglong,
    theirs: cython.ulonglong,
    first: cython.int,
    into: cython.p_double,
) -> cython.void:
    """What lies in a discard, where everybody saw it, and whether the reserve's top is due soon."""
    due: cython.ulonglong = core.due
    soon: cython.ulonglong = ((due & ~KINGS) << 1) & ~due
    kind: cython.int
    depth: cython.int = 0
    card: cython.int = core.top[P_DISCARD + owner]
    while card != NONE:
        kind = card >> 2
        depth += 1
        into[first] += 0.3 * has(due, kind)
        into[first + 1] += 0.3 * has(soon, kind)
        into[first + 2] += 0.1 * has(build, kind)
        if depth == 2:
            into[first + 3] = has(due | build, kind)
            into[first + 4] = has(theirs, kind)
        card = core.below[card]
    card = core.top[P_RESERVE + owner]
    if card != NONE and owner != turned:
        into[first + 5] = has(soon, card >> 2)
