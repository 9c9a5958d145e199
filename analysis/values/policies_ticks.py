"""Policies that play `vitesse` inside this process, like `policies` for games with turns.

A policy is told the game as everybody may know it (`table_ticks.RaceTable.view`) and its seat, and answers
the core's number of an action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.racecore import NOTHING, STOP
from engine.vitesse import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from engine.racecore import RaceCore

    RacePolicy = Callable[[RaceCore, int], int]

_GREEDY: Final = tuple(map(ACTIONS.index, ("r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn", "wait")))
GREEDY: Final = (bytes(_GREEDY) * 2, True)
"""How two greedy bots play, as `RaceCore.play_greedily` takes it."""


def greedy(core: RaceCore, seat: int) -> int:
    """Play like the greedy bot: cards to foundations, reserve first; stop if the other has more left."""
    legal = core.legal(seat)
    if STOP in legal and _left(core, seat) < _left(core, 1 - seat):
        return STOP
    return _first(_GREEDY, legal)


def perturbed(rng: Random, share: float) -> RacePolicy:
    """The greedy bot that takes any legal action at random in a `share` of its ticks."""

    def choose(core: RaceCore, seat: int) -> int:
        if rng.random() < share:
            return int(rng.choice(core.legal(seat)))
        return greedy(core, seat)

    return choose


def planner(core: RaceCore, seat: int) -> int:
    """The house planner: for every pair of what both could do, how the next ticks would go; its answer to
    an other that does half the time what is natural, half the time what is hard to guess."""
    return int(core.planned(seat))


def _left(core: RaceCore, seat: int) -> int:
    """The cards that a seat still has."""
    in_slots = sum(1 for kind in core.slots_of(seat) if kind != NOTHING)
    return in_slots + sum(int(core.size(pile, seat)) for pile in range(3))


def _first(preferred: Sequence[int], legal: Sequence[int]) -> int:
    return next(action for action in preferred if action in legal)
