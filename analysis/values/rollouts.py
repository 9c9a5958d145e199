"""Values a revealed card by playing on: how games end with it, and with the cards it could have been.

A network only judges the table from a distance, but who wins depends on the order of the unknown cards. So
these are dealt in a number of ways (`engine.turns.core.Completions`). At each card turned up, the game is
played to its end in every way: once with the card that the way has in that place, and once with the true
card, swapped with it. The difference is that card's luck. The core plays all of it, without the interpreter.

*Nothing is biased.* A way is a permutation of the true order of the cards, chosen without looking at them.
Permuting cards that nobody has seen makes no position more likely. So, averaged over all possible orders, the
games with the card and those without it have exactly the same mean, for each way (`analysis.luck.turns`).

*The noise cancels.* A way keeps its cards until they are turned up. The next card starts from the games that
the previous one ended with, in the same ways. If the seats play like the policies that play on, these are
the very same games, which need not even be played again, and only the noise of the first card remains. With
new ways for each card, the noise of a hundred cards would add up, and making it a hundred times smaller would
take a hundred times the games.

*How many ways*: the fewest whose noise is at most a fifth (`shares.NOISE`) of what the adjustment leaves of
the game's own variance, of result and of margin. The noise is half the variance of the difference of two
estimates with different seeds; `train shares` measures it and publishes it with the shares. It adds no bias,
only this much variance to the adjusted result. With fewer ways, more games of bots would be needed to be
certain of anything. With more, luck would cost more CPU time than the games it saves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.values.seat_policies import UNKNOWNS, full, ranks, ways
from engine.policies.greedy import EMPTIES_HOUSE
from engine.turns.core import Completions

if TYPE_CHECKING:
    from analysis.values.public_game import Table
    from analysis.values.seat_policies import Policies

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

    def begin(self, table: Table, policies: Policies = UNKNOWNS) -> Completions:
        """The ways in which the unseen cards of a game may lie, to be told of each card turned up; `policies`
        are by which each seat is played on."""
        return Completions(
            table.core,
            table.pools(),
            self.ways_for(policies),
            self.seed,
            ranks(tuple(one.name for one in policies)),
            EMPTIES_HOUSE,
            full(policies, self.full),
            [one.nodes for one in policies],
        )

    def ways_for(self, policies: Policies) -> int:
        """In how many ways games of such seats are played on."""
        return ways(policies, self.ways)


def phase(unseen: int) -> int:
    """Return the phase (from 0) of a card that left this many unseen."""
    return next(number for number, fewest in enumerate(PHASES) if unseen > fewest)
