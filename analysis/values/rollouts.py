"""What a card turned up is worth by playing on: how greedy games end with it and with the others it could be.

A network sees the table from afar; who wins hangs on the order of the cards that nobody knows. So these are
dealt in a number of ways (`engine.core.Completions`), and at each card turned up the game is played on to its
end in every way, once with the card that the way has in that place and once with the true one, the two in
each other's place. The difference is that card's luck. The core plays all of it, without the interpreter.

*Nothing is biased.* A way is a permutation relative to how the cards truly lie, chosen without looking at
them. To permute cards that nobody has seen makes no position likelier, so the games with the card and those
without it have the same mean over all that could be, exactly, for each way (`analysis.luck.turns`).

*The noise cancels.* A way keeps its cards until they are turned up. What a card leaves open is what the next
one begins with, in the same ways; where the seats play as the greedy bot does these are the very same games,
which are not even played again, and of all noise only that of the first card remains. With new ways for each
card the noise of a hundred cards would add up, and a hundredth of it would take a hundred times the games.

*How many ways*: the fewest whose noise is at most a fifth (`shares.NOISE`) of what the adjustment leaves of
the game's own variance, of result and of margin. The noise is half the variance of the difference of two
estimates with other seeds; `train shares` measures it and publishes it with the shares. It biases nothing, it
only makes the adjusted result vary by so much more. With fewer ways it would take more games of bots to be
sure of something; with more of them luck would cost more CPU than the games that it saves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.values.policies import EMPTIES_HOUSE, rank_table
from engine.core import Completions

if TYPE_CHECKING:
    from analysis.values.table import Table

PHASES: Final = (48, 24, -1)
"""A game is in the first of these phases in which more cards than that are unseen."""
WAYS: Final = 32
FULL: Final = 48
"""So often games are played on in all ways, then in fewer and fewer. Where seats do nothing as the greedy bot
does, its games tell little of theirs and are not worth more; how often is no secret of unseen cards."""
SEED: Final = 0
"""The ways are the same in every game: a seed made from hidden cards would not be blind to them."""


@dataclass(frozen=True, slots=True)
class Rollouts:
    """How games are played on; `shares` are what part of the luck that is seen is taken away, by phase, of
    result and margin."""

    shares: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * len(PHASES)
    ways: int = WAYS
    seed: int = SEED
    full: int = FULL

    def begin(self, table: Table) -> Completions:
        """The ways in which the unseen cards of a game may lie, to be told of each card turned up."""
        return Completions(
            table.core, table.pools(), self.ways, self.seed, rank_table(), EMPTIES_HOUSE, self.full
        )


def phase(unseen: int) -> int:
    """The phase in which a card was turned up that left so many unseen, from 0."""
    return next(number for number, fewest in enumerate(PHASES) if unseen > fewest)
