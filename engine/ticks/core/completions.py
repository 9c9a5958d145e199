"""Ways in which the unseen cards of both seats may lie, played on in the core (`engine.ways`)."""

from __future__ import annotations

import cython

from engine.ticks.core.acting import play
from engine.ticks.core.core import TickCore
from engine.ticks.core.playing import first_of, play_greedily
from engine.ticks.core.state import become, made, rename, same, top
from engine.ticks.core.tables import NONE
from engine.ways import Ways


@cython.final
@cython.cclass
class TickCompletions(Ways):
    """Ways in which the cards that nobody has seen may lie, and how the game goes on in each."""

    by_cards: cython.int
    order: cython.uchar[16]
    last: TickCore  # the game after the last card turned up
    ahead: TickCore  # the game where the next one lies open, if it is played greedily
    game: TickCore

    def __init__(
        self, core: TickCore, pools, count: cython.int, seed: cython.ulonglong, order: bytes, by_cards, full
    ):
        """Ways for the unseen cards of both seats, within which they change places.

        Args:
            core: the game as it stands, with every card where it truly lies.
            pools: for each seat the kinds that are equally likely to lie in each other's places.
            count: how many ways, up to 128.
            seed: it alone chooses the permutations (splitmix64), compiled or not.
            order, by_cards: how the game is played on, as `TickCore.play_greedily` takes them.
            full: how often in all ways, as `turns.core.Completions` has it.

        Raises:
            ValueError: too many ways, or the order is not of 16 actions.
        """
        index: cython.int
        seat: cython.int
        if len(order) != 16:
            raise ValueError(f"expected 16 actions, got {len(order)}")
        self._prepare(count, full, 108, 54)
        if not cython.compiled:
            self.order = [0] * 16
        for index in range(16):
            self.order[index] = order[index]
        self.by_cards = by_cards
        state: cython.ulonglong = seed
        for seat in range(2):
            state = self._arrange(54 * seat, [*pools[seat]], state)
        self.last, self.ahead, self.game = core.clone(), core.clone(), core.clone()

    def turned_up(self, core: TickCore, seat: cython.int, kind: cython.int) -> None:
        """Take in that a card of a seat was just turned up, as `turns.core.Completions.turned_up` has it.

        Of two cards in one tick the second is told with the same core. Raises ValueError: it was seen before.
        """
        first: cython.int = 54 * (seat & 1)
        last: TickCore = self.last
        ahead: TickCore = self.ahead
        game: TickCore = self.game
        if not 0 <= kind < NONE or not self.unseen[first + kind]:
            raise ValueError(f"expected a card of seat {seat} that nobody has seen, got {kind}")
        with cython.nogil:
            self._account(game, last, core, self.foreseen and same(core, ahead))
            self._show(first, kind)
            become(last, core)
            become(ahead, core)
            self._look_ahead(ahead)

    def brought(self) -> tuple[int, int]:
        """What the cards turned up since this was last asked brought seat 0, added up over all ways: games
        won less games lost, and points less the other's."""
        last: TickCore = self.last
        game: TickCore = self.game
        if self.begun and not self.valued:
            with cython.nogil:
                self._value(game, last, 1)
        return self._sums()

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _played(self, game: object, core: object, way: cython.int) -> cython.void:
        """Play `game` on from `core` in a way; write down its result and its margin."""
        self._play_on(cython.cast(TickCore, game), cython.cast(TickCore, core), way)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(self, game: TickCore, core: TickCore, way: cython.int) -> cython.void:
        """`_played`, for cores."""
        ahead: cython.int
        become(game, core)
        rename(game, self.names, 108 * way)
        play_greedily(game, self.order, self.by_cards, 1000000)
        ahead = made(game, 0) - made(game, 1)
        self.results[way] = (ahead > 0) - (ahead < 0)
        self.margins[way] = ahead

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _shows(self, game: TickCore) -> cython.int:
        """Whether a card lies open that was not told of yet."""
        index: cython.int
        for index in range(8):
            if self.unseen[54 * (index >> 2) + game.slots[index]]:
                return 1
        for index in range(2):
            if self.unseen[54 * index + top(game, index)] or self.unseen[54 * index + top(game, 4 + index)]:
                return 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _look_ahead(self, game: TickCore) -> cython.void:
        """Play `game` on greedily to where the next card lies open."""
        self.foreseen = self._shows(game)
        while not self.foreseen and not game._over:
            play(
                game,
                first_of(game, 0, self.order, self.by_cards),
                first_of(game, 1, self.order, self.by_cards),
            )
            self.foreseen = self._shows(game)
