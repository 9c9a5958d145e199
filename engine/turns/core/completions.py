"""Ways in which the unseen cards of two seats may lie, played on in the core (`engine.ways`)."""

from __future__ import annotations

import cython

from engine.turns.core.applying import apply, stoppable, stopped
from engine.turns.core.core import Core
from engine.turns.core.playing import check_ranks, margin, play_ranked, ranked, result
from engine.turns.core.state import become, rename, same
from engine.turns.core.tables import IRREGULAR, NOBODY, NONE, P_DISCARD, P_DRAWN, P_RESERVE
from engine.ways import Ways


@cython.final
@cython.cclass
class Completions(Ways):
    """Ways in which the cards of two seats that nobody has seen may lie, and how the game goes on in each.

    It follows a game: tell it of each card turned up (`turned_up`) and ask what they brought (`brought`).
    `engine.ways` says why that is unbiased.
    """

    lone: cython.int
    ranks: cython.uchar[256]
    last: Core  # the game after the last card turned up
    ahead: Core  # the game where the next one is turned up, if it is played by ranks
    game: Core

    def __init__(
        self, core: Core, pools, count: cython.int, seed: cython.ulonglong, ranks: bytes, lone, full
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

        Raises:
            ValueError: too many ways, or what `Core.play_ranked` raises.
        """
        index: cython.int
        check_ranks(core, ranks)
        self._prepare(count, full, NOBODY + 1, NOBODY + 1)
        if not cython.compiled:
            self.ranks = [0] * 256
        for index in range(256):
            self.ranks[index] = ranks[index]
        self.lone = lone
        state: cython.ulonglong = seed
        for pool in pools:
            state = self._arrange(0, [*pool], state)
        self.last, self.ahead, self.game = core.clone(), core.clone(), core.clone()

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
        play_ranked(game, self.ranks, self.lone)
        self.results[way] = result(game)
        self.margins[way] = margin(game)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _look_ahead(self, game: Core) -> cython.void:
        """Play `ahead` on by the ranks to where the next card is turned up."""
        turn: cython.int
        self.foreseen = False
        while not game._over:
            turn = game._turn
            apply(game, ranked(game, self.ranks, self.lone))
            if (
                self.unseen[game.top[P_DRAWN]]
                or self.unseen[game.top[P_RESERVE + turn]]
                or self.unseen[game.top[P_DISCARD + turn]]
            ):
                self.foreseen = True
                return
            if game.last == IRREGULAR and stoppable(game):
                stopped(game)
