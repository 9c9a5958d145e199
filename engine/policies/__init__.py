"""Ways to play as functions of the cores: for house bots, hints, mistakes, luck and play-outs of a search.

The names of those for the game of ticks begin with ``tick``; `bots` chooses by the variant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.policies.greedy import greedily, greedy, perturbed, playout
from engine.policies.planner import planner

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.variants import Variant

__all__ = ["Bots", "bots", "greedy", "perturbed", "planner", "playout", "tick_playout"]


class Bots(NamedTuple):
    """The house's policies for one kind of game."""

    greedy: Any
    planner: Any
    perturbed: Callable[[Random, float], Any]


def bots(rules: Variant, nodes: int) -> Bots:
    """Return the policies that play a variant; for each answer the planner looks at `nodes` positions.

    >>> from engine.variants import VARIANTS
    >>> bots(VARIANTS["vitesse"], 24).greedy.__name__
    'tick_greedy'
    """
    if rules.in_ticks:
        from engine.policies.tick_greedy import tick_greedy, tick_perturbed  # noqa: PLC0415 (as `engine.ticks`)
        from engine.policies.tick_planner import tick_planner  # noqa: PLC0415 (as `engine.ticks`)

        return Bots(tick_greedy, tick_planner, tick_perturbed)
    return Bots(greedily, planner(nodes), perturbed)


def __getattr__(name: str) -> object:
    """Import the play-out of the game of ticks when it is first asked for."""
    if name != "tick_playout":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine.policies.tick_greedy import tick_playout  # noqa: PLC0415 (as `engine.ticks`)

    return tick_playout
