"""Guesses of the hidden cards, on which lines of play are tried in the core."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ALL64, GOLDEN, mix
from engine.turns.core.applying import apply
from engine.turns.core.generation import generate
from engine.turns.core.planning import check_nodes, play_planned
from engine.turns.core.playing import check_ranks, left_over, play_ranked
from engine.turns.core.state import become, rename
from engine.turns.core.tables import NOBODY, NONE

if TYPE_CHECKING:
    from engine.turns.core.core import Core


@cython.final
@cython.cclass
class Guesses:
    """Ways in which the cards that a seat has not seen may lie; lines are tried on many at once.

    It keeps what it works on, so a thread needs one of its own.
    """

    names: cython.uchar[209]  # for each card the one in its place
    cards: cython.uchar[208]  # the hidden ones, pool after pool
    ends: cython.uchar[8]  # where each pool ends
    pools: cython.int
    lone: cython.int
    ranks: cython.uchar[1792]
    world: Core
    game: Core

    def __init__(self, core: Core, pools, ranks: bytes, lone: cython.int):
        """Guesses of a game.

        Args:
            core: the game as it stands, with hidden cards anywhere where they may lie; it stays as it is.
            pools: the ids of cards that are equally likely to lie in each other's places, up to 8 pools.
            ranks, lone: how greedy players play a game to its end, as `Core.play_ranked` takes them.

        Raises:
            ValueError: too many pools or cards, a card twice, or what `Core.play_ranked` raises.
        """
        index: cython.int
        count: cython.int = 0
        listed = [card for pool in pools for card in pool]
        if len(pools) > 8 or len(set(listed)) < len(listed) or not all(0 <= card < NONE for card in listed):
            raise ValueError(f"expected up to 8 pools of cards, each once, got {pools}")
        check_ranks(core, ranks)
        if not cython.compiled:
            self.names, self.cards, self.ends, self.ranks = [0] * 209, [0] * 208, [0] * 8, [0] * 1792
        for index in range(NOBODY + 1):
            self.names[index] = index
        self.pools, self.lone = len(pools), lone
        for index in range(len(pools)):
            for card in pools[index]:
                self.cards[count] = card
                count += 1
            self.ends[index] = count
        for index in range(len(ranks)):
            self.ranks[index] = ranks[index]
        self.world, self.game = core.clone(), core.clone()

    def tried(
        self, moves, seed: cython.ulonglong, count: cython.int, ahead: cython.int, nodes: cython.int
    ) -> tuple[float, float]:
        """What a line leads to for the seat to move, on `count` guesses: the mean of how it ends, 1 if the
        seat goes out first, -1 if another does, else 0; and how many cards more than it the others have left
        then, on average. All play `ahead` lines after it by `Core.play_planned`, then greedily.

        Args:
            moves: the line; only its last move may turn up a hidden card.
            seed: it alone chooses the guesses (splitmix64), compiled or not.

        Raises:
            ValueError: a move is illegal, or there are not from 1 to 512 nodes or no guess.
        """
        check_nodes(nodes)
        if count < 1 or len(moves) > 512:
            raise ValueError(f"expected a guess and up to 512 moves, got {count} and {len(moves)}")
        line: cython.ushort[512]
        if not cython.compiled:
            line = [0] * 512
        size: cython.int = len(moves)
        index: cython.int
        legal: cython.int = 1
        for index in range(size):
            if not 0 <= moves[index] < (448 if self.world.wide else 128):
                raise ValueError(f"expected the number of a move, got {moves[index]}")
            line[index] = moves[index]
        won: cython.double = 0.0
        left: cython.double = 0.0
        seat: cython.int = self.world._turn
        state: cython.ulonglong = seed
        world: Core = self.world
        game: Core = self.game
        with cython.nogil:
            for _ in range(count):
                state = exchange(self, state)
                become(game, world)
                rename(game, world, self.names, 0)
                legal = played_out(self, game, line, size, ahead, nodes)
                if not legal:
                    break
                won += first_out(game, seat)
                left += left_over(game, seat)
        if not legal:
            raise ValueError(f"expected moves that are legal in every guess, got {tuple(moves)}")
        return won / count, left / count


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def exchange(guesses: Guesses, state: cython.ulonglong) -> cython.ulonglong:
    """Let the cards of each pool change places; the state of the dice after it."""
    pool: cython.int
    index: cython.int
    other: cython.int
    start: cython.int = 0
    name: cython.uchar
    for index in range(guesses.ends[guesses.pools - 1] if guesses.pools else 0):
        guesses.names[guesses.cards[index]] = guesses.cards[index]
    for pool in range(guesses.pools):
        for index in range(guesses.ends[pool] - 1, start, -1):
            state = (state + GOLDEN) & ALL64
            other = start + (((mix(state) >> 32) * (index - start + 1)) >> 32)
            name = guesses.names[guesses.cards[index]]
            guesses.names[guesses.cards[index]] = guesses.names[guesses.cards[other]]
            guesses.names[guesses.cards[other]] = name
        start = guesses.ends[pool]
    return state


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def played_out(
    guesses: Guesses,
    game: Core,
    line: cython.p_ushort,
    size: cython.int,
    ahead: cython.int,
    nodes: cython.int,
) -> cython.int:
    """Play the game to its end as `Guesses.tried` has it; whether the line was legal."""
    index: cython.int
    number: cython.int = game._turn_number
    for index in range(size):
        if game._over or game._turn_number != number:
            return 0
        if not game.ready:
            generate(game)
        if not game.words[line[index] >> 6] >> (line[index] & 63) & 1:
            return 0
        apply(game, line[index])
    play_planned(game, ahead, nodes)
    play_ranked(game, guesses.ranks, guesses.lone)
    return 1


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def first_out(core: Core, seat: cython.int) -> cython.int:
    """1 if this seat went out first, -1 if another did, else 0."""
    if not core.n_out:
        return 0
    return 1 if (core.out & 15) == seat else -1
