"""What a driver calls at every ply, written out: the uncompiled core's own way.

Nothing here is compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.turns.core.applying import apply
from engine.turns.core.generation import check, generate
from engine.turns.core.plain import EXPANDED, expand_words, remember

if TYPE_CHECKING:
    from engine.turns.core.core import Core


def step(core: Core, move: int) -> tuple[int, ...]:
    """`step` with what it calls written out."""
    words = core.words
    if not core.ready or move < 0 or move > 447 or not words[move >> 6] >> (move & 63) & 1:
        check(core, move)
    apply(core, move)
    generate(core)
    if core.wide:
        return expand_words(words, 7)
    word = words[0]
    first = EXPANDED[0].get(word)
    if first is None:
        first = remember(0, word)
    word = words[1]
    second = EXPANDED[1].get(word)
    if second is None:
        second = remember(1, word)
    return first + second


def legal(core: Core) -> tuple[int, ...]:
    """`legal` with what it calls written out."""
    if not core.ready:
        generate(core)
    words = core.words
    if core.wide:
        return expand_words(words, 7)
    word = words[0]
    first = EXPANDED[0].get(word)
    if first is None:
        first = remember(0, word)
    word = words[1]
    second = EXPANDED[1].get(word)
    if second is None:
        second = remember(1, word)
    return first + second


def push(core: Core, move: int) -> int:
    """`push` with what it calls written out."""
    if not core.ready or move < 0 or move > 447 or not core.words[move >> 6] >> (move & 63) & 1:
        check(core, move)
    number = core._turn_number
    # In halves that are small numbers by themselves: with large ones every step makes another object.
    low = (
        core.idle
        | core.stall << 7
        | core.passes << 15
        | core.mute << 18
        | core.last << 22
        | core.lay << 24
        | core.quota << 27
    )
    high = core._turn | core.n_emptied << 2 | core.n_out << 5 | move << 8
    high |= apply(core, move) << 17
    return low | high << 29 | (core._turn_number - number) << 55
