"""Ways in which the unseen cards of two seats may lie, played on in the core (`engine.completion_base`)."""

from __future__ import annotations

import cython

from engine.completion_base import CompletionBase
from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.core import Core
from engine.turns.core.planning import NO_PLANS, plan_turn
from engine.turns.core.playouts import check_ranks, floors_of, margin, pick_ranked, result
from engine.turns.core.state import become, rename, same
from engine.turns.core.tables import IRREGULAR, NOBODY, NONE, P_DISCARD, P_DRAWN, P_RESERVE


@cython.final
@cython.cclass
class Completions(CompletionBase):
    """Ways in which the cards of two seats that nobody has seen may lie, and how the game goes on in each.

    It follows a game: tell it of each card turned up (`turned_up`) and ask what they brought (`brought`).
    `engine.completion_base` says why that is unbiased.
    """

    lone: cython.int
    floors: cython.uint
    ranks: cython.uchar[256]
    nodes: cython.short[2]  # for each seat how many positions it searches, 0 where it plays by ranks
    plan: cython.ushort[512]
    last: Core  # the game after the last card turned up
    ahead: Core  # the game where the next one is turned up, if it is played on
    game: Core

    def __init__(
        self,
        core: Core,
        pools,
        count: cython.int,
        seed: cython.ulonglong,
        ranks: bytes,
        lone,
        full,
        nodes=(0, 0),
    ):
        """Ways for the unseen cards of the pools, within which they change places.

        Args:
            core: the game as it stands, with every card where it truly lies.
            pools: the ids of cards that are equally likely to lie in each other's places.
            count: how many ways, up to 128.
            seed: it alone chooses the permutations (splitmix64), compiled or not.
            ranks, lone: how the game is played on, as `Core.play_ranked` takes them.
            full: how often in all ways; then their number is halved, and again at every eighth time after it,
                down to an odd one. What each is worth is weighed for it.
            nodes: for each seat how many positions it searches, as `Core.planned` takes it; 0: by ranks.

        Raises:
            ValueError: not two seats, too many ways or nodes, or what `Core.play_ranked` raises.
        """
        index: cython.int
        if core.players != 2:
            raise ValueError(f"expected two seats, got {core.players}")
        check_ranks(core, ranks)
        self._prepare(count, full, NOBODY + 1, NOBODY + 1)
        if not cython.compiled:
            self.ranks, self.nodes, self.plan = [0] * 256, [0, 0], [0] * 512
        for index in range(256):
            self.ranks[index] = ranks[index]
        for index in range(2):
            if not 0 <= nodes[index] <= 512:
                raise ValueError(f"expected up to 512 nodes for each of two seats, got {nodes}")
            self.nodes[index] = nodes[index]
        self.lone, self.floors = lone, floors_of(core, ranks)
        state: cython.ulonglong = seed
        for pool in pools:
            state = self._arrange(0, [*pool], state)
        self.last, self.ahead, self.game = core.clone(), core.clone(), core.clone()

    def __reduce__(self):
        """Nothing to keep: it is what one search works on. Raises TypeError."""
        raise TypeError("cannot copy or pickle a Completions; make another of the same core")

    def turned_up(self, core: Core, card: cython.int) -> None:
        """Take in that a card was just turned up.

        From then on each way has the card where it truly lies, and the one that lay there in its place. What
        the card brings is how the games played on end with that less how they end without.

        Args:
            core: the game after it, with every card where it truly lies.

        Raises:
            ValueError: the card was seen before.
        """
        last: Core = self.last
        ahead: Core = self.ahead
        game: Core = self.game
        if not 0 <= card < NONE or not self.unseen[card]:
            raise ValueError(f"expected a card that nobody has seen, got {card}")
        with cython.nogil:
            self._account(game, last, core, self.foreseen and same(core, ahead))
            self._show(0, card)
            become(last, core)
            become(ahead, core)
            self._look_ahead(ahead)

    def brought(self) -> tuple[int, int]:
        """What the cards turned up since this was last asked brought seat 0, added up over all ways: result
        and margin as `Core.worth` has them."""
        last: Core = self.last
        game: Core = self.game
        if self.begun and not self.valued:
            with cython.nogil:
                self._value(game, last, 1)
        return self._sums()

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _played(self, game: object, core: object, way: cython.int) -> cython.void:
        """Play `game` on from `core` in a way; write down its result and its margin."""
        self._play_on(cython.cast(Core, game), cython.cast(Core, core), way)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(self, game: Core, core: Core, way: cython.int) -> cython.void:
        """`_played`, for cores."""
        become(game, core)
        rename(game, core, self.names, 209 * way)
        self._go_on(game, False)
        self.results[way] = result(game)
        self.margins[way] = margin(game)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _look_ahead(self, game: Core) -> cython.void:
        """Play `ahead` on to where the next card is turned up."""
        self.foreseen = self._go_on(game, True)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _go_on(self, game: Core, to_card: cython.int) -> cython.int:
        """Let each seat play as it does to the end of the game, or `to_card` to where the next card is turned
        up; whether one was. It begins where a card was turned up, so no seat is in the middle of a plan."""
        turn: cython.int
        number: cython.int
        length: cython.int
        index: cython.int
        while not game._over:
            turn = game._turn
            length = plan_turn(game, self.nodes[turn], self.plan, NO_PLANS, 0) if self.nodes[turn] else 0
            if not length:
                self.plan[0] = pick_ranked(game, self.ranks, self.lone, self.floors)
                length = 1
            number = game._turn_number
            for index in range(length):
                apply(game, self.plan[index])
                if to_card and (
                    self.unseen[game.top[P_DRAWN]]
                    or self.unseen[game.top[P_RESERVE + turn]]
                    or self.unseen[game.top[P_DISCARD + turn]]
                ):
                    return 1
                if game.last == IRREGULAR and stoppable(game):
                    call_stop(game)
                if game._over or game._turn_number != number:
                    break
        return 0
