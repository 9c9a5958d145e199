"""A learned value of positions, and games played on by it.

A value is how likely the seat that played a line is to win, as log odds: a net of one hidden layer of
rectified units over what `sight` sees where the line ends. It is the same number compiled or not: all is
added up in the same order in 64 bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cython

from engine.turns.core.applying import call_stop, stoppable
from engine.turns.core.features import SEEN_INPUTS, SEEN_MORE, look_at_hands, see
from engine.turns.core.lines import UNITS, best_line, trace_line
from engine.turns.core.planning import NO_PLANS, follow, plan_turn
from engine.turns.core.playouts import check_ranks, play_ranked, result_share
from engine.turns.core.state import become
from engine.turns.core.tables import IRREGULAR

if TYPE_CHECKING:
    from engine.turns.core.core import Core

QUICK = cython.declare(cython.int, 64)  # positions for a line of planner's


@cython.final
@cython.cclass
class Valuer:
    """Values lines of play by a net, and plays by them.

    With more than two seats, to win is to go out first: nothing is asked once a seat is out.

    It keeps what it works on, so a thread needs one of its own.
    """

    one_pack: cython.int
    nodes: cython.int
    error: cython.double  # how far off each line's worth may be, for learning
    state: cython.ulonglong  # of the random numbers for it
    players: cython.int
    width: cython.int  # how many inputs the net has
    drawn: cython.double  # log odds of a draw
    first: cython.double[9600]  # the weights of input 0 in all units, of input 1 …
    bias: cython.double[48]
    second: cython.double[48]
    last: cython.double
    seen: cython.double[200]
    summed: cython.double[200]  # the inputs that `sums` holds
    sums: cython.double[48]
    hands: cython.ulonglong[12]
    plan: cython.ushort[512]
    worth: cython.double  # of the line planned last
    size: cython.int  # positions of the search: its tree, and where its lines end
    parents: cython.short[512]
    moves: cython.ushort[512]
    depths: cython.short[512]
    count: cython.int
    worths: cython.double[4096]
    befores: cython.short[4096]
    finals: cython.ushort[4096]
    scratch: Core

    def __init__(self, core: Core, one_pack, nodes: cython.int, weights):
        """A valuer for the variant of `core`.

        Args:
            one_pack: whether nobody can tell which unseen cards are whose (`variants.Variant.one_pack`).
            nodes: how many positions to look at for a line, 1 to 512.
            weights: the net's numbers: for each input those of all units, the units' biases, what they count,
                and the last bias.

        Raises:
            ValueError: not so many nodes or weights.
        """
        index: cython.int
        width: cython.int = SEEN_INPUTS + SEEN_MORE * (core._players - 2)
        expected = width * UNITS + 2 * UNITS + 1
        if not 0 < nodes <= 512 or len(weights) != expected:
            raise ValueError(
                f"expected 1 to 512 nodes and {expected} weights, got {nodes} and {len(weights)}"
            )
        if not cython.compiled:
            self.first, self.bias, self.second = [0.0] * 9600, [0.0] * 48, [0.0] * 48
            self.seen, self.summed, self.sums = [0.0] * 200, [0.0] * 200, [0.0] * 48
            self.hands, self.plan = [0] * 12, [0] * 512
            self.parents, self.moves, self.depths = [0] * 512, [0] * 512, [0] * 512
            self.worths, self.befores, self.finals = [0.0] * 4096, [0] * 4096, [0] * 4096
        self.one_pack, self.nodes, self.scratch = 1 if one_pack else 0, nodes, core.clone()
        self.error, self.state = 0.0, 0
        self.players, self.width, self.drawn = core._players, width, -math.log(core._players - 1)
        for index in range(width * UNITS):
            self.first[index] = weights[index]
        for index in range(UNITS):
            self.bias[index] = weights[width * UNITS + index]
            self.second[index] = weights[width * UNITS + UNITS + index]
        self.last = weights[width * UNITS + 2 * UNITS]

    def __reduce__(self):
        """By what it was made of, and `err`."""
        weights = [self.first[index] for index in range(self.width * UNITS)]
        weights += [self.bias[index] for index in range(UNITS)]
        weights += [self.second[index] for index in range(UNITS)]
        made_of = (self.scratch.clone(), self.one_pack, self.nodes, [*weights, self.last])
        return Valuer, made_of, (self.error, self.state)

    def __setstate__(self, told):
        """`err`."""
        self.err(*told)

    def err(self, error: cython.double, seed: cython.ulonglong) -> None:
        """From now on be wrong about every line by up to `error`, in log odds: to see more in self-play."""
        self.error, self.state = error, seed

    def inputs(self, core: Core, seat: cython.int, end: cython.int) -> list[float]:
        """What the net sees of a position at the end of a line of `seat`.

        Args:
            end: 0 before the seat draws, 1 where it turned up a card of its reserve, 2 where its turn is
                over, 3 where it uncovered a card of its discard.

        Raises:
            ValueError: no such seat or end, or another number of seats.
        """
        check_seats(self, core)
        if not 0 <= seat < self.players or not 0 <= end < 4:
            raise ValueError(f"expected a seat of {self.players} and an end from 0 to 3, got {seat}, {end}")
        look_at_hands(core, self.hands)
        see(core, seat, end, self.one_pack, self.hands, self.seen)
        return [float(self.seen[index]) for index in range(self.width)]

    def planned(self, core: Core) -> tuple[int, ...]:
        """The moves of the line worth most, up to the next card turned up; empty if there is none.

        Raises:
            ValueError: another number of seats.
        """
        check_seats(self, core)
        length: cython.int = best_line(self, core)
        return tuple([self.plan[index] for index in range(length)])

    def lines(self, core: Core, most: cython.int) -> list[tuple[float, tuple[int, ...]]]:
        """Up to `most` lines with their worth in log odds, best first, of equal ones the first found.

        Raises:
            ValueError: another number of seats.
        """
        index: cython.int
        length: cython.int
        check_seats(self, core)
        best_line(self, core)
        order = sorted(range(self.count), key=lambda place: -self.worths[place])[:most]
        found = []
        for index in order:
            length = trace_line(self, index)
            found.append((float(self.worths[index]), tuple([self.plan[place] for place in range(length)])))
        return found

    def chance(self, core: Core, moves, ahead: cython.int) -> float:
        """How likely the seat to move wins after a line, from 0 to 1; a draw is one win for all together. All
        play on as planner does for `ahead` - 1 more lines, and until the seat is to move; its best line then
        is valued. The core stays as it is, and each card in it lies where it lies.

        Raises:
            ValueError: a move is out of range or illegal, there is no line to play `ahead`, or another number
                of seats.
        """
        check_seats(self, core)
        if ahead < 1:
            raise ValueError(f"expected at least one line, got {ahead}")
        stand_there(self, core, moves)
        return played_on(self, self.scratch, core.turn, ahead)

    def tried(
        self, core: Core, moves, ahead: cython.int, ranks: bytes, lone: cython.int
    ) -> tuple[float, float, int]:
        """What a line leads to for the seat to move: its `chance`; how the game ends if all play on by ranks
        (`Core.play_ranked`) after the lines that were played for it, from 0 for a loss to 1 for a win, with
        the cards left counting for a third; and which seat goes out first then, -1 if none does.

        Raises:
            ValueError: what `chance` or `Core.play_ranked` raises.
        """
        check_ranks(core, ranks)
        order: cython.p_uchar = ranks
        game: Core = self.scratch
        chance: cython.double = self.chance(core, moves, ahead)
        play_ranked(game, order, lone)
        return chance, result_share(game, core._turn), game.out & 15 if game.n_out else -1


@cython.cfunc
def check_seats(valuer: Valuer, core: Core) -> cython.void:
    """Raise ValueError unless the core has as many seats as the valuer's net is for."""
    if core._players != valuer.players:
        raise ValueError(f"expected {valuer.players} seats, got {core._players}")


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
            call_stop(game)
        if game.over or game.turn_number != number:
            break


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def played_on(valuer: Valuer, game: Core, seat: cython.int, ahead: cython.int) -> cython.double:
    """The chance of `seat` after so many lines, as `Valuer.chance` has it; plays `game` on."""
    length: cython.int
    while not game._over and not game.n_out:
        ahead -= 1
        if ahead <= 0 and game._turn == seat:
            return odds(valuer.worth) if best_line(valuer, game) else 1.0 / valuer.players
        length = plan_turn(game, QUICK, valuer.plan, NO_PLANS, 0)
        if not length:
            return 1.0 / valuer.players
        follow(game, valuer.plan, length)
    if game.n_out:
        return 1.0 if (game.out & 15) == seat else 0.0
    return 1.0 / valuer.players


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def odds(worth: cython.double) -> cython.double:
    """The probability that log odds stand for."""
    return 1.0 / (1.0 + (core_exp(-worth) if cython.compiled else math.exp(-worth)))
