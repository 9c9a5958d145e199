"""A learned value of positions, the lines of a turn that lead to the best, and games played on by them.

A value is how likely the seat that played a line is to win, as log odds: a net of one hidden layer of
rectified units over what `sight` sees where the line ends. It is the same number compiled or not: all is
added up in the same order in 64 bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, mix
from engine.turns.core.applying import stoppable, stopped
from engine.turns.core.generation import is_irregular
from engine.turns.core.planning import MOST_ENDS, ends_line, follow, is_new, stand_after, tabled
from engine.turns.core.playing import check_ranks, play_ranked, result, shared
from engine.turns.core.sight import (
    SEEN_INPUTS,
    TO_DRAW,
    TURN_OVER,
    TURNED_DISCARD,
    TURNED_RESERVE,
    look_at_hands,
    see,
)
from engine.turns.core.state import become
from engine.turns.core.tables import IRREGULAR, P_HAND, P_RESERVE, SOURCE, STOPPABLE, lowest
from engine.turns.core.undoing import push, undo

if TYPE_CHECKING:
    from engine.turns.core.core import Core

UNITS = cython.declare(cython.int, 48)  # of the hidden layer
INPUTS = cython.declare(cython.int, 122)
WINS = cython.declare(cython.double, 1000.0)  # log odds of a line that wins at once
SHORTER = cython.declare(cython.double, 0.0003)  # what a line loses for each move before its last
WEIGHTS = SEEN_INPUTS * 48 + 48 + 48 + 1


@cython.final
@cython.cclass
class Valuer:
    """Values lines of play of two seats by a net, and plays by them.

    It keeps what it works on, so a thread needs one of its own.
    """

    one_pack: cython.int
    nodes: cython.int
    error: cython.double  # how far off each line's worth may be, for learning
    state: cython.ulonglong  # of the random numbers for it
    first: cython.double[5856]  # the weights of input 0 in all units, of input 1 …
    bias: cython.double[48]
    second: cython.double[48]
    last: cython.double
    seen: cython.double[122]
    summed: cython.double[122]  # the inputs that `sums` holds
    sums: cython.double[48]
    hands: cython.ulonglong[4]
    plan: cython.ushort[512]
    worth: cython.double  # of the line planned last
    size: cython.int  # positions of the search: its tree, and where its lines end
    parents: cython.short[512]
    moves: cython.ushort[512]
    depths: cython.short[512]
    count: cython.int
    worths: cython.double[4096]
    befores: cython.short[4096]
    finals: cython.uchar[4096]
    scratch: Core

    def __init__(self, core: Core, one_pack, nodes: cython.int, weights):
        """A valuer for the variant of `core`.

        Args:
            one_pack: whether nobody can tell which unseen cards are whose (`variants.Variant.one_pack`).
            nodes: how many positions to look at for a line, 1 to 512.
            weights: the net's numbers: for each input those of all units, the units' biases, what they count,
                and the last bias.

        Raises:
            ValueError: not two seats, not so many nodes or weights.
        """
        index: cython.int
        if core.players != 2 or not 0 < nodes <= 512 or len(weights) != WEIGHTS:
            raise ValueError(
                f"expected two seats, 1 to 512 nodes and {WEIGHTS} weights,"
                f" got {core.players}, {nodes} and {len(weights)}"
            )
        if not cython.compiled:
            self.first, self.bias, self.second = [0.0] * 5856, [0.0] * 48, [0.0] * 48
            self.seen, self.summed, self.sums = [0.0] * 122, [0.0] * 122, [0.0] * 48
            self.hands, self.plan = [0] * 4, [0] * 512
            self.parents, self.moves, self.depths = [0] * 512, [0] * 512, [0] * 512
            self.worths, self.befores, self.finals = [0.0] * 4096, [0] * 4096, [0] * 4096
        self.one_pack, self.nodes, self.scratch = 1 if one_pack else 0, nodes, core.clone()
        self.error, self.state = 0.0, 0
        for index in range(INPUTS * UNITS):
            self.first[index] = weights[index]
        for index in range(UNITS):
            self.bias[index] = weights[INPUTS * UNITS + index]
            self.second[index] = weights[INPUTS * UNITS + UNITS + index]
        self.last = weights[INPUTS * UNITS + 2 * UNITS]

    def err(self, error: cython.double, seed: cython.ulonglong) -> None:
        """From now on be wrong about every line by up to `error`, in log odds: to see more in self-play."""
        self.error, self.state = error, seed

    def inputs(self, core: Core, seat: cython.int, end: cython.int) -> list[float]:
        """What the net sees of a position at the end of a line of `seat`.

        Args:
            end: 0 before the seat draws, 1 where it turned up a card of its reserve, 2 where its turn is
                over, 3 where it uncovered a card of its discard.

        Raises:
            ValueError: no such seat or end, or not two seats.
        """
        if core.players != 2 or not 0 <= seat < 2 or not 0 <= end < 4:
            raise ValueError(f"expected seat 0 or 1 of two and an end from 0 to 3, got {seat} and {end}")
        look_at_hands(core, self.hands)
        see(core, seat, end, self.one_pack, self.hands, self.seen)
        return [float(self.seen[index]) for index in range(INPUTS)]

    def planned(self, core: Core) -> tuple[int, ...]:
        """The moves of the line worth most, up to the next card turned up; empty if there is none."""
        length: cython.int = best_line(self, core)
        return tuple([self.plan[index] for index in range(length)])

    def lines(self, core: Core, most: cython.int) -> list[tuple[float, tuple[int, ...]]]:
        """Up to `most` lines with their worth in log odds, best first, of equal ones the first found."""
        index: cython.int
        length: cython.int
        best_line(self, core)
        order = sorted(range(self.count), key=lambda place: -self.worths[place])[:most]
        found = []
        for index in order:
            length = traced(self, index)
            found.append((float(self.worths[index]), tuple([self.plan[place] for place in range(length)])))
        return found

    def chance(self, core: Core, moves, ahead: cython.int) -> float:
        """How likely the seat to move wins after a line, from 0 to 1, half for a draw: both seats then play
        `ahead` - 1 more lines by this valuer, and the best line after these is valued. The core stays as it
        is, and each card in it lies where it lies.

        Raises:
            ValueError: a move is out of range or illegal, or there is no line to play `ahead`.
        """
        if ahead < 1:
            raise ValueError(f"expected at least one line, got {ahead}")
        stand_there(self, core, moves)
        return played_on(self, self.scratch, core.turn, ahead)

    def tried(
        self, core: Core, moves, ahead: cython.int, ranks: bytes, lone: cython.int
    ) -> tuple[float, ...]:
        """What a line leads to for the seat to move: its `chance`; how the game ends if both play on by ranks
        (`Core.play_ranked`) after the lines that were played for it, 1, 0.5 or 0; and the same with the cards
        left counting for a third.

        Raises:
            ValueError: what `chance` or `Core.play_ranked` raises.
        """
        check_ranks(core, ranks)
        order: cython.p_uchar = ranks
        chance: cython.double = self.chance(core, moves, ahead)
        sign: cython.int = -1 if core.turn else 1
        play_ranked(self.scratch, order, lone)
        return chance, 0.5 + 0.5 * sign * result(self.scratch), shared(self.scratch, core.turn)


@cython.cfunc
def stand_there(valuer: Valuer, core: Core, moves) -> cython.void:
    """Let the scratch core stand where a line ends. Raises ValueError for moves that are not legal."""
    game: Core = valuer.scratch
    number: cython.int
    become(game, core)
    number = game.turn_number
    for move in moves:
        game.push(move)
        if game.last == IRREGULAR and stoppable(game):
            stopped(game)
        if game.over or game.turn_number != number:
            break


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def nothing_summed(valuer: Valuer) -> cython.void:
    """Forget the inputs valued last."""
    index: cython.int
    for index in range(INPUTS):
        valuer.summed[index] = 0.0
    for index in range(UNITS):
        valuer.sums[index] = valuer.bias[index]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def valued(valuer: Valuer, core: Core, seat: cython.int, end: cython.int) -> cython.double:
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
    for index in range(INPUTS):
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
    words: cython.ulonglong[2]
    if not cython.compiled:
        codes, line, tokens = [0] * 512, [0] * 512, [0] * 512
        known, words = [0] * 1024, [0, 0]
    index: cython.int
    node: cython.int = 0
    made: cython.int = 0
    best: cython.int = -1
    length: cython.int
    half: cython.int
    move: cython.int
    word: cython.ulonglong
    code: cython.ulonglong
    valuer.count, valuer.size = 0, 1
    if core._over:
        return 0
    look_at_hands(core, valuer.hands)
    nothing_summed(valuer)
    for index in range(1024):
        known[index] = 0
    valuer.parents[0], valuer.moves[0], valuer.depths[0], codes[0] = 0, 0, 0, 1
    known[0] = 1
    while node < valuer.size:
        length = valuer.depths[node]
        index = node
        while index:
            valuer.plan[valuer.depths[index] - 1] = valuer.moves[index]
            index = valuer.parents[index]
        made = stand_after(core, valuer.plan, length, line, tokens, made)
        words[0], words[1] = core.words[0], core.words[1]
        for half in range(2):
            word = words[half]
            while word:
                move = 64 * half + lowest(word)
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
                    code = tabled(core, move, codes[node])
                    if is_new(known, code):
                        index = valuer.size
                        valuer.parents[index], valuer.moves[index] = node, move
                        valuer.depths[index], codes[index] = length + 1, code
                        valuer.size += 1
        node += 1
    stand_after(core, valuer.plan, 0, line, tokens, made)
    if best < 0:
        return 0
    valuer.worth = valuer.worths[best]
    return traced(valuer, best)


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
        return valued(valuer, core, seat, TO_DRAW)
    ready: cython.uchar = core.ready
    token = push(core, move)
    if core._over:
        worth = WINS if core._over == 1 else 0.0
    else:
        end = TURNED_DISCARD
        if core._turn != seat:
            end = TURN_OVER
        elif source == P_RESERVE + seat:
            end = TURNED_RESERVE
        worth = valued(valuer, core, seat, end)
    undo(core, token)
    core.ready = ready  # nobody asked for the legal moves after the line, so those before it still stand
    return worth


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def traced(valuer: Valuer, place: cython.int) -> cython.int:
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
def played_on(valuer: Valuer, game: Core, seat: cython.int, ahead: cython.int) -> cython.double:
    """The chance of `seat` after so many lines, as `Valuer.chance` has it; plays `game` on."""
    chance: cython.double
    length: cython.int
    while not game._over:
        length = best_line(valuer, game)
        ahead -= 1
        if not length or not ahead:
            chance = odds(valuer.worth) if length else 0.5
            return chance if game._turn == seat else 1 - chance
        follow(game, valuer.plan, length)
    if game._over == 1:
        return 1.0 if (game.out & 15) == seat else 0.0
    return 0.5


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def by_chance(valuer: Valuer) -> cython.double:
    """A random number between -1 and 1, most likely near 0."""
    first: cython.ulonglong
    valuer.state = (valuer.state + GOLDEN) & ALL64
    first = mix(valuer.state)
    return (first >> 40) / 16777216.0 + ((first >> 16) & 0xFFFFFF) / 16777216.0 - 1.0


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def odds(worth: cython.double) -> cython.double:
    """The probability that log odds stand for."""
    return 1.0 / (1.0 + (core_exp(-worth) if cython.compiled else math.exp(-worth)))
