"""Faster ways to do the same where the core runs uncompiled: fewer byte codes, and moves kept as tuples.

Nothing here is compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.turns.core.tables import HIGHER, LOWER, NEAR, SPREAD, UP1, UP2

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.turns.core.core import Core

EXPANDED: list[dict[int, tuple[int, ...]]] = [{} for _ in range(7)]
"""The moves of each word of a set that was met."""


def add_slots(cls: type) -> type:
    """The class with a slot for each declared field: more than thirty would make a dictionary slow."""
    body = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
    body["__slots__"] = tuple(cls.__annotations__)
    return type(cls)(cls.__name__, cls.__bases__, body)


def remember(index: int, word: int) -> tuple[int, ...]:
    """The moves of a word of the set, kept for the next time."""
    known = EXPANDED[index]
    if len(known) > 1 << 15:
        known.clear()
    found = []
    rest = word
    while rest:
        low = rest & -rest
        found.append(64 * index + low.bit_length() - 1)
        rest ^= low
    known[word] = tuple(found)
    return known[word]


def expand_words(words: list[int], count: int) -> tuple[int, ...]:
    """The moves of a set of words."""
    moves: tuple[int, ...] = ()
    for index in range(count):
        word = words[index]
        if word:
            found = EXPANDED[index].get(word)
            moves += remember(index, word) if found is None else found
    return moves


def plain_tops(core: Core) -> None:
    """`generation.generate_tops` in fewer byte codes: two seats in play, no order of precedence."""
    at, top, turn, due, build = core.at, core.top, core._turn, core.due, core.build
    empty = at[52]
    room = empty or not core.needs_room
    reserve = top[16 + turn] >> 2
    discard = top[20 + turn] >> 2
    source = discard if core.own_discard else 52
    word = core.fit
    if reserve != 52:
        if due >> reserve & 1:
            word |= 1 << 48
        if room:
            place = build + reserve
            word |= (at[UP1[place]] | at[UP2[place]] | empty) << 24
    if source != 52:
        if due >> source & 1:
            word |= 1 << 51
        place = build + source
        word |= (at[UP1[place]] | at[UP2[place]] | empty) << 32
    kind = top[21 - turn] >> 2
    if kind != 52:
        near = NEAR[kind]
        word |= (at[LOWER[kind]] | at[HIGHER[kind]]) << 8 | (near >> source & 1) << 52
        if room:
            word |= (near >> reserve & 1) << 49
    kind = top[17 - turn] >> 2
    if room and kind != 52:
        near = NEAR[kind]
        word |= (at[LOWER[kind]] | at[HIGHER[kind]]) << 16
        word |= (near >> source & 1) << 53 | (near >> reserve & 1) << 50
    hand = top[24 + turn] != 208
    drawing = core.drawing
    if not hand and discard == 52:
        word |= 1 << 59
    elif not empty or drawing == 0:
        word |= 1 << 58
    elif hand if drawing == 1 else not hand or discard == 52:
        word |= 1 << 58
    words = core.words
    words[1] = word
    words[0] = 0
    if core.idle < 100:
        words[0] = core.link[0] | SPREAD[empty ^ 255] * empty if empty else core.link[0]


def generating(generate_drawn: Callable[[Core], None], generate_tops: Callable[[Core], None]) -> Any:
    """`generation.generate`, with `plain_tops` where it serves."""
    nothing = [0] * 7

    def generate(core: Core) -> None:
        core.ready = True
        core.best = 5
        if core._over:
            core.words[:] = nothing
        elif core.top[28] != 208:
            generate_drawn(core)
        elif core.wide or core.order:
            generate_tops(core)
        else:
            plain_tops(core)

    return generate
