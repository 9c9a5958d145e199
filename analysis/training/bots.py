"""The bots of this process for any game, in turns or in ticks, and a whole game between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.training import selfplay
from analysis.training import selfplay_ticks as race_selfplay
from analysis.values import policies
from analysis.values import policies_ticks as race_policies
from engine.vitesse import NAME, Race

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from analysis.training.selfplay import Played
    from engine.position import Position

NODES = 24
"""Positions an answer that the planner looks at where games are many."""


class Bots(NamedTuple):
    """Policies of one kind, of `policies` or of `race_policies`."""

    greedy: Any
    planner: Any
    perturbed: Callable[[Random, float], Any]


def bots(variant: str) -> Bots:
    """Those that play a variant."""
    if variant == NAME:
        return Bots(race_policies.greedy, race_policies.planner, race_policies.perturbed)
    return Bots(policies.greedy, policies.planner(NODES), policies.perturbed)


def play(start: Position | Race, seats: Sequence[Any]) -> Played:
    """Play a full position to its end by a policy for each seat."""
    if isinstance(start, Race):
        return race_selfplay.play(start, seats)
    return selfplay.play(start, seats)
