"""Playing a core as the house planner does: its search through a turn (`engine.policies.planner`), in C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, MIX1, mix
from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.generation import generate, is_irregular
from engine.turns.core.tables import (
    IRREGULAR,
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


MOST_ENDS = cython.declare(cython.int, 4096)
FIRST_POWER = cython.declare(cython.int, 32)  # where powers begin in the room of `pile_hash`
INVERSE_MIX1 = cython.declare(cython.ulonglong, 0x96DE1B173F119089)  # times MIX1 it is 1, modulo 2**64
FIRST_PLAN = cython.declare(cython.int, 1025)  # where lines begin in the room of `plan_turn`
NO_PLANS = cython.declare(cython.int[1])  # the room of who wants no lines
if not cython.compiled:
    NO_PLANS = [0]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def follow(core: Core, plan: cython.p_ushort, length: cython.int) -> cython.void:
    """Play a line as far as it stays in the turn; who may call stop does so at an irregular move."""
    index: cython.int
    number: cython.int = core._turn_number
    for index in range(length):
        apply(core, plan[index])
        if core.last == IRREGULAR and stoppable(core):
            call_stop(core)
        if core._over or core._turn_number != number:
            break


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def plan_turn(
    core: Core, nodes: cython.int, plan: cython.p_ushort, room: cython.p_int, wanted: cython.int
) -> cython.int:
    """`Core.planned`, for the core itself: writes the moves to `plan` and answers how many. Up to `wanted` of
    the lines that it found go to `room`, as `read_plans` says.

    A line is worth what its moves gain, in hundredths of a card (`move_gain`), less 1 for each move but the
    last. Of equal ones the first found is played. A position is known by the cards that a move takes off
    one pile and puts on another, so no move is made only to look at what it leads to.
    """
    parents: cython.short[512]
    moves: cython.ushort[512]
    depths: cython.short[512]
    gains: cython.int[512]
    codes: cython.ulonglong[512]  # the hash of each position's table
    seen: cython.ulonglong[1024]  # the same hashes, to be found by their low bits; 0 is free
    line: cython.ushort[512]  # the moves made now, and what takes each back
    tokens: cython.ulonglong[512]
    piles: cython.ulonglong[64]
    words: cython.ulonglong[7]
    if not cython.compiled:
        parents, moves, depths, gains, codes, line, tokens = ([0] * 512 for _ in range(7))
        seen, piles, words = [0] * 1024, [0] * 64, [0] * 7
    index: cython.int
    node: cython.int = 0
    size: cython.int = 1
    made: cython.int = 0
    count: cython.int = 0
    length: cython.int
    part: cython.int
    parts: cython.int = 7 if core.wide else 2
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
    clear_pile_hashes(piles)
    parents[0], moves[0], depths[0], gains[0], codes[0] = 0, 0, 0, 0, 1
    seen[0] = 1
    while node < size:
        length = depths[node]
        index = node
        while index:
            plan[depths[index] - 1] = moves[index]
            index = parents[index]
        made = switch_line(core, plan, length, line, tokens, made, piles)
        for part in range(parts):
            words[part] = core.words[part]
        # Moves between houses end no line.
        for part in range((4 if core.wide else 1) if size == nodes else 0, parts):
            word = words[part]
            while word:
                move = 64 * part + lowest(word)
                word &= word - 1
                if core.order == STOPPABLE and is_irregular(core, move):
                    continue
                ends = ends_line(core, move)
                gain = gains[node] + move_gain(core, move) if ends < 2 else 1 << 20
                if ends:
                    if count < wanted:
                        index = FIRST_PLAN + 3 * count
                        room[index], room[index + 1], room[index + 2] = gain - length, node, move
                        count += 1
                    if gain - length > most:
                        most, last, before = gain - length, move, node
                elif size < nodes:
                    code = hash_after_move(core, move, codes[node], piles)
                    if is_new(seen, code):
                        parents[size], moves[size], depths[size] = node, move, length + 1
                        gains[size], codes[size] = gain, code
                        size += 1
        node += 1
    switch_line(core, plan, 0, line, tokens, made, piles)
    if last < 0:
        return 0
    if wanted:
        room[0] = count
        for index in range(size):
            room[1 + index], room[513 + index] = parents[index], moves[index]
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
def switch_line(
    core: Core,
    plan: cython.p_ushort,
    length: cython.int,
    line: cython.p_ushort,
    tokens: cython.p_ulonglong,
    made: cython.int,
    piles: cython.p_ulonglong,
) -> cython.int:
    """Go from the position after the `made` moves of `line` to that after the `length` moves of `plan`, with
    its legal moves; `length`. The hashes in `piles` are kept up to date."""
    index: cython.int = 0
    place: cython.int
    while index < made and index < length and line[index] == plan[index]:
        index += 1
    while made > index:
        made -= 1
        undo(core, tokens[made])
        place = core.base + line[made]
        update_pile_hashes(piles, TARGET[place], SOURCE[place], core.top[SOURCE[place]] >> 2)
    while made < length:
        line[made] = plan[made]
        place = core.base + plan[made]
        update_pile_hashes(piles, SOURCE[place], TARGET[place], core.top[SOURCE[place]] >> 2)
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
    """Whether a table of this hash was not seen before; from now on it was."""
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
def move_gain(core: Core, move: cython.int) -> cython.int:
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
    """Whether the planner looks no further than a legal move: 1 where it uncovers a card, draws, ends the
    turn or goes out, 2 where it ends the game, else 0."""
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
    if left:
        return 0
    return 2 if core.n_out >= core._players - 2 else 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def hash_after_move(
    core: Core, move: cython.int, code: cython.ulonglong, piles: cython.p_ulonglong
) -> cython.ulonglong:
    """The hash of the table after a move of a card, given that before it: a sum over its piles."""
    return hash_after_card(core, SOURCE[core.base + move], TARGET[core.base + move], code, piles)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def hash_after_card(
    core: Core,
    source: cython.int,
    target: cython.int,
    code: cython.ulonglong,
    piles: cython.p_ulonglong,
) -> cython.ulonglong:
    """`hash_after_move` for the top card of one pile that goes to another."""
    kind: cython.int = core.top[source] >> 2
    whole: cython.ulonglong = pile_hash(core, source, piles)
    card: cython.ulonglong = (piles[FIRST_POWER + source] * INVERSE_MIX1) & ALL64
    card = (card * (MIX1 + kind)) & ALL64
    code -= pile_share(source, whole) - pile_share(source, (whole - card) & ALL64)
    if target == P_FOUNDATION:
        return (code + mix((GOLDEN * (64 + kind)) & ALL64)) & ALL64
    whole = pile_hash(core, target, piles)
    card = (piles[FIRST_POWER + target] * (MIX1 + kind)) & ALL64
    code += pile_share(target, (whole + card) & ALL64) - pile_share(target, whole)
    return code & ALL64


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def clear_pile_hashes(piles: cython.p_ulonglong) -> cython.void:
    """No pile's hash is known (`pile_hash`)."""
    pile: cython.int
    for pile in range(64):
        piles[pile] = 0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def hash_whole_table(core: Core) -> cython.ulonglong:
    """The hash of a table, as `hash_after_move` changes it."""
    code: cython.ulonglong = 0
    pile: cython.int
    kind: cython.int
    piles: cython.ulonglong[64]
    if not cython.compiled:
        piles = [0] * 64
    clear_pile_hashes(piles)
    for pile in range(P_DRAWN + 1):
        code += pile_share(pile, pile_hash(core, pile, piles))
    for pile in range(16):
        for kind in range(core.heights[pile]):
            code += mix((GOLDEN * (64 + 13 * (pile >> 2) + kind)) & ALL64)
    return code & ALL64


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def pile_share(pile: cython.int, own: cython.ulonglong) -> cython.ulonglong:
    """What a pile with this hash adds to the table's: the same for every house."""
    return mix((own + GOLDEN * (1 if pile < 16 else pile + 2)) & ALL64)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def pile_hash(core: Core, pile: cython.int, piles: cython.p_ulonglong) -> cython.ulonglong:
    """A polynomial in MIX1 of the kinds in a pile, its top with the highest power.

    Piles are looked through once in a search: `piles` keeps the hash of each, and from `FIRST_POWER` on MIX1
    to the power of its length, 0 where it was not yet asked for.
    """
    one: cython.ulonglong = 1
    power: cython.ulonglong = 1
    card: cython.int
    if not piles[FIRST_POWER + pile]:
        card = core.top[pile]
        while card != NONE:
            one = (one * MIX1 + (card >> 2) + 1) & ALL64
            power = (power * MIX1) & ALL64
            card = core.below[card]
        piles[pile], piles[FIRST_POWER + pile] = one, power
    return piles[pile]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def update_pile_hashes(
    piles: cython.p_ulonglong, source: cython.int, target: cython.int, kind: cython.int
) -> cython.void:
    """A card of this kind goes from the top of one pile to that of another: keep their hashes right."""
    power: cython.ulonglong
    if source < P_FOUNDATION and piles[FIRST_POWER + source]:
        power = (piles[FIRST_POWER + source] * INVERSE_MIX1) & ALL64
        piles[FIRST_POWER + source] = power
        piles[source] = (piles[source] - power * (MIX1 + kind)) & ALL64
    if target < P_FOUNDATION and piles[FIRST_POWER + target]:
        power = piles[FIRST_POWER + target]
        piles[target] = (piles[target] + power * (MIX1 + kind)) & ALL64
        piles[FIRST_POWER + target] = (power * MIX1) & ALL64


@cython.cfunc
def read_plans(room: cython.p_int, most: cython.int) -> list[tuple[int, tuple[int, ...]]]:
    """Up to `most` of the lines that `plan_turn` found, with their worth, best first, of equals the first.

    The room holds their number; for each position whence it came and by which move, 512 each; and for each
    line its worth, the position before its last move, and that move.
    """
    found = []
    node: cython.int
    index: cython.int
    order = [(-room[FIRST_PLAN + 3 * index], index) for index in range(room[0])]
    for worth, number in sorted(order)[:most]:
        index = FIRST_PLAN + 3 * number
        moves = [room[index + 2]]
        node = room[index + 1]
        while node:
            moves.append(room[513 + node])
            node = room[1 + node]
        found.append((-worth, tuple(moves[::-1])))
    return found


@cython.cfunc
def check_nodes(nodes: cython.int) -> cython.void:
    """Raise ValueError unless a search may look at so many positions."""
    if not 0 < nodes <= 512:
        raise ValueError(f"expected 1 to 512 nodes, got {nodes}")
