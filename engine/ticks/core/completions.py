"""Ways in which the unseen cards of both seats may lie, played on in the core (`engine.completion_base`)."""

from __future__ import annotations

import cython

from engine.completion_base import CompletionBase
from engine.ticks.core.actions import play
from engine.ticks.core.core import TickCore
from engine.ticks.core.planning import plan_tick
from engine.ticks.core.playouts import first_of, play_greedily
from engine.ticks.core.state import become, count_points, rename, same, top
from engine.ticks.core.tables import NONE


@cython.final
@cython.cclass
class TickCompletions(CompletionBase):
    """Ways in which the cards that nobody has seen may lie, and how the game goes on in each."""

    by_cards: cython.int
    order: cython.uchar[16]
    plans: cython.uchar[2]  # whether a seat plays as the planner
    known: cython.uchar[108]  # the names of the cards as everybody knows them in the game played on
    last: TickCore  # the game after the last card turned up
    ahead: TickCore  # the game where the next one lies open, if it is played on
    game: TickCore
    view: TickCore  # the game as everybody knows it
    after: TickCore  # what the planner overwrites

    def __init__(
        self,
        core: TickCore,
        pools,
        count: cython.int,
        seed: cython.ulonglong,
        order: bytes,
        by_cards,
        full,
        plans=(False, False),
    ):
        """Ways for the unseen cards of both seats, within which they change places.

        Args:
            core: the game as it stands, with every card where it truly lies.
            pools: for each seat the kinds that are equally likely to lie in each other's places.
            count: how many ways, up to 128.
            seed: it alone chooses the permutations (splitmix64), compiled or not.
            order, by_cards: how the game is played on, as `TickCore.play_greedily` takes them.
            full: how often in all ways, as `turns.core.Completions` has it.
            plans: for each seat whether it plays as the house planner, as `TickCore.planned` has it.

        Raises:
            ValueError: too many ways, or the order is not of 16 actions.
        """
        index: cython.int
        seat: cython.int
        if len(order) != 16:
            raise ValueError(f"expected 16 actions, got {len(order)}")
        self._prepare(count, full, 108, 54)
        if not cython.compiled:
            self.order, self.plans, self.known = [0] * 16, [0, 0], [0] * 108
        for index in range(16):
            self.order[index] = order[index]
        self.by_cards = by_cards
        self.plans[0], self.plans[1] = plans
        state: cython.ulonglong = seed
        for seat in range(2):
            state = self._arrange(54 * seat, [*pools[seat]], state)
        self.last, self.ahead, self.game = core.clone(), core.clone(), core.clone()
        self.view, self.after = core.clone(), core.clone()

    def __reduce__(self):
        """Nothing to keep: it is what one search works on. Raises TypeError."""
        raise TypeError("cannot copy or pickle a TickCompletions; make another of the same core")

    def turned_up(self, core: TickCore, seat: cython.int, kind: cython.int) -> None:
        """Take in that a card of a seat was just turned up, as `turns.core.Completions.turned_up` has it.

        Of two cards in one tick the second is told with the same core. Raises ValueError: it was seen before.
        """
        first: cython.int = 54 * (seat & 1)
        last: TickCore = self.last
        ahead: TickCore = self.ahead
        game: TickCore = self.game
        view: TickCore = self.view
        after: TickCore = self.after
        if not 0 <= kind < NONE or not self.unseen[first + kind]:
            raise ValueError(f"expected a card of seat {seat} that nobody has seen, got {kind}")
        with cython.nogil:
            self._account(game, last, core, self.foreseen and same(core, ahead))
            self._show(first, kind)
            become(last, core)
            become(ahead, core)
            self._look_ahead(ahead, view, after)

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
        self._play_on(
            cython.cast(TickCore, game),
            cython.cast(TickCore, core),
            way,
            cython.cast(TickCore, self.view),
            cython.cast(TickCore, self.after),
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(
        self, game: TickCore, core: TickCore, way: cython.int, view: TickCore, after: TickCore
    ) -> cython.void:
        """`_played`, for cores."""
        ahead: cython.int
        become(game, core)
        rename(game, self.names, 108 * way)
        self._go_on(game, view, after, False)
        ahead = count_points(game, 0) - count_points(game, 1)
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
    def _look_ahead(self, game: TickCore, view: TickCore, after: TickCore) -> cython.void:
        """Play `game` on to where the next card lies open."""
        self.foreseen = self._shows(game) or self._go_on(game, view, after, True)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _go_on(self, game: TickCore, view: TickCore, after: TickCore, to_card: cython.int) -> cython.int:
        """Let both play to the end of the game, or `to_card` to where the next card lies open; whether one
        does. `view` and `after` are overwritten."""
        index: cython.int
        first: cython.int
        second: cython.int
        if not self.plans[0] and not self.plans[1] and not to_card:
            play_greedily(game, self.order, self.by_cards, 1000000)
            return 0
        for index in range(108):
            self.known[index] = 53 if self.unseen[index] else index % 54
        while not game._over:
            if self.plans[0] or self.plans[1]:
                self._learn(game)
                become(view, game)
                rename(view, self.known, 0)
            first = self._chosen(game, view, after, 0)
            second = self._chosen(game, view, after, 1)
            play(game, first, second)
            if to_card and self._shows(game):
                return 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _chosen(self, game: TickCore, view: TickCore, after: TickCore, seat: cython.int) -> cython.int:
        """What a seat does now; `view` is the game as everybody knows it."""
        if self.plans[seat]:
            return plan_tick(view, seat, after)
        return first_of(game, seat, self.order, self.by_cards)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _learn(self, game: TickCore) -> cython.void:
        """From now on everybody knows the cards that lie open."""
        index: cython.int
        kind: cython.int
        for index in range(8):
            kind = game.slots[index]
            self.known[54 * (index >> 2) + kind] = kind
        for index in range(2):
            kind = top(game, index)
            self.known[54 * index + kind] = kind
            kind = top(game, 4 + index)
            self.known[54 * index + kind] = kind
