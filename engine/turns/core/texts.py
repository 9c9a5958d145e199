"""What a referee tells of a game, as text: the position as every seat may see it, and the legal moves.

Letters are written one by one into a room of bytes. Compiled, that takes a tenth of what joining texts takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.tables import NONE, P_DISCARD, P_DRAWN, P_HAND, P_RESERVE

if TYPE_CHECKING:
    from engine.turns.core.core import Core

ENTRY = cython.declare(cython.int, 10)
"""The bytes of a move in a book: its number in two, how many letters it has, and seven for them."""
COMMA = cython.declare(cython.int, 44)
DASH = cython.declare(cython.int, 45)
DOT = cython.declare(cython.int, 46)
SLASH = cython.declare(cython.int, 47)
SPACE = cython.declare(cython.int, 32)
QUOTE = cython.declare(cython.int, 34)
UNSEEN_CARD = cython.declare(cython.int, 63)
ZERO = cython.declare(cython.int, 48)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_number(room: cython.p_uchar, at: cython.int, number: cython.int) -> cython.int:
    """Write a number from 0 on; the place behind it."""
    unit: cython.int = 1
    while number // unit > 9:
        unit *= 10
    while unit:
        room[at] = ZERO + number // unit % 10
        at += 1
        unit //= 10
    return at


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_seats(room: cython.p_uchar, at: cython.int, seats: cython.int, count: cython.int) -> cython.int:
    """Write seats, four bits each from the lowest, as digits, or a dot if there are none."""
    place: cython.int
    if not count:
        room[at] = DOT
        return at + 1
    for place in range(count):
        room[at] = ZERO + (seats >> 4 * place & 15)
        at += 1
    return at


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_house(
    room: cython.p_uchar, at: cython.int, core: Core, card: cython.int, faces: cython.p_uchar
) -> cython.int:
    """Write the cards of a house, bottom to top, or a dot, given the top one."""
    below = core.below
    end: cython.int = at
    if card == NONE:
        room[at] = DOT
        return at + 1
    next_card: cython.int = card
    while next_card != NONE:
        end += 2
        next_card = below[next_card]
    at = end
    while card != NONE:
        at -= 2
        room[at], room[at + 1] = faces[2 * (card >> 2)], faces[2 * (card >> 2) + 1]
        card = below[card]
    return end


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_hidden(
    room: cython.p_uchar,
    at: cython.int,
    core: Core,
    card: cython.int,
    faces: cython.p_uchar,
    shown: cython.int,
) -> cython.int:
    """Write a pile of which at most the top card is shown, given that one."""
    below = core.below
    top: cython.int = card
    if card == NONE:
        room[at] = DOT
        return at + 1
    while card != NONE:
        room[at] = room[at + 1] = UNSEEN_CARD
        at += 2
        card = below[card]
    if shown:
        room[at - 2], room[at - 1] = faces[2 * (top >> 2)], faces[2 * (top >> 2) + 1]
    return at


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_public(room: cython.p_uchar, at: cython.int, core: Core, faces: cython.p_uchar) -> cython.int:
    """Write the position behind the variant's name (RULES 1), with hidden what no seat may see."""
    top = core.top
    players: cython.int = core._players
    number: cython.int
    place: cython.int
    room[at] = SPACE
    room[at + 1] = ZERO + core._turn
    room[at + 2] = SPACE
    at += 3
    if core.lay:
        room[at], room[at + 1], room[at + 2] = 108, 97, 121  # lay
        room[at + 3] = ZERO + core.lay - 1
        room[at + 4] = DOT
        at = spell_number(room, at + 5, core.quota)
    else:
        room[at], room[at + 1], room[at + 2], room[at + 3] = 112, 108, 97, 121  # play
        at += 4
    room[at] = SPACE
    if top[P_DRAWN] == NONE:
        room[at + 1] = DASH
        at += 2
    else:
        at = spell_hidden(room, at + 1, core, top[P_DRAWN], faces, 1)
    for number in range(4 * players):
        room[at] = SLASH if number else SPACE
        at = spell_house(room, at + 1, core, top[number], faces)
    for number in range(4):
        for place in range(players):
            room[at] = COMMA if place else SLASH if number else SPACE
            at = spell_number(room, at + 1, core.heights[4 * number + place])
    for number in range(players):
        room[at] = SPACE
        at = spell_hidden(room, at + 1, core, top[P_RESERVE + number], faces, 1)
        room[at] = SLASH
        at = spell_hidden(room, at + 1, core, top[P_HAND + number], faces, 0)
        room[at] = SLASH
        at = spell_hidden(room, at + 1, core, top[P_DISCARD + number], faces, 1)
    room[at] = SPACE
    at = spell_number(room, at + 1, core.idle)
    room[at] = COMMA
    at = spell_number(room, at + 1, core.stall)
    room[at] = COMMA
    at = spell_number(room, at + 1, core.passes)
    room[at] = COMMA
    at += 1
    if not core.mute:
        room[at] = DOT
        at += 1
    for number in range(players):
        if core.mute >> number & 1:
            room[at] = ZERO + number
            at += 1
    room[at] = COMMA
    # Whether an action was regular is nothing that all may know, only that there was one (RULES 1).
    room[at + 1] = UNSEEN_CARD if core.last else DOT
    at += 2
    for number in range(players):
        room[at] = COMMA if number else SPACE
        at = spell_number(room, at + 1, core.completed[number])
    room[at] = SLASH
    at = spell_seats(room, at + 1, core.emptied, core.n_emptied)
    room[at] = SLASH
    return spell_seats(room, at + 1, core.out, core.n_out)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def spell_legal(room: cython.p_uchar, core: Core, book: cython.p_uchar, entries: cython.int) -> cython.int:
    """Write the legal moves as a JSON list in the order of a book of them; the sets must be ready."""
    words = core.words
    at: cython.int = 1
    entry: cython.int
    letter: cython.int
    move: cython.int
    start: cython.int
    room[0] = 91  # [
    for entry in range(entries):
        start = ENTRY * entry
        move = book[start] << 8 | book[start + 1]
        if words[move >> 6] >> (move & 63) & 1:
            if at > 1:
                room[at] = COMMA
                at += 1
            room[at] = QUOTE
            at += 1
            for letter in range(book[start + 2]):
                room[at] = book[start + 3 + letter]
                at += 1
            room[at] = QUOTE
            at += 1
    room[at] = 93  # ]
    return at + 1
