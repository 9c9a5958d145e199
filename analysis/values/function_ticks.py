"""The value function of `vitesse` as it was published in `weights/`: games are played on from the first card.

It is that of `rollouts`, whose account of ways, of noise and of bias holds here too; there is no network, and
the deal's open cards too are valued by playing on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from analysis.values.published import FITTED_VERSION, WEIGHTS
from analysis.values.rollouts import FULL, SEED, WAYS
from analysis.values.seat_policies import UNKNOWNS, full, ways
from engine.policies.tick_greedy import GREEDY
from engine.ticks.core import TickCompletions
from engine.ticks.position import NAME

if TYPE_CHECKING:
    from analysis.values.public_game_ticks import TickTable, Turned
    from analysis.values.seat_policies import Policies

PHASES: Final = (60, 24, -1)
"""A game is in the first of these phases in which more cards than that are unseen, those of both together."""


@dataclass(frozen=True, slots=True)
class TickValues:
    """`shares` are what part of the luck that is seen is taken away, by phase, of result and margin."""

    shares: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * len(PHASES)
    ways: int = WAYS
    seed: int = SEED
    full: int = FULL

    def begin(self, table: TickTable, policies: Policies = UNKNOWNS, *, whole: bool) -> TickCompletions:
        """The ways in which the unseen cards of a game may lie (of a `whole` deal all cards), to be told of
        each card turned up; `policies` are by which each seat is played on."""
        pools = table.pools(whole=whole)
        plans = [one.searches for one in policies]
        often = full(policies, self.full)
        return TickCompletions(table.core, pools, self.ways_for(policies), self.seed, *GREEDY, often, plans)

    def ways_for(self, policies: Policies) -> int:
        """In how many ways games of such seats are played on."""
        return ways(policies, self.ways)


def phase(turned: Turned) -> int:
    """The phase in which a card was turned up, counted from 0; of a deal's open cards always the first."""
    return next(number for number, fewest in enumerate(PHASES) if turned.unseen > fewest)


@cache
def load(version: int = FITTED_VERSION) -> TickValues:
    """The published value function. Raises FileNotFoundError if that version is none."""
    found: dict[str, Any] = json.loads((WEIGHTS / f"{NAME}-{version}.json").read_text("utf-8"))
    return TickValues(tuple((result, margin) for result, margin in found["shares"]), found["ways"])
