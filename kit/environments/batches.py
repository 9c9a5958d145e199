"""A batch of games by name: what the environments put their arrays around."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

import engine
from engine.cards import PACK, kind
from engine.errors import EngineError
from engine.policies.greedy import EMPTIES_HOUSE, TARGETS, rank_table
from engine.turns.conversion import to_core
from engine.turns.core import Batch, Dealer
from engine.turns.deal import deal

if TYPE_CHECKING:
    from collections.abc import Sequence

OPPONENTS: Final = ("random", "greedy", "planner")
"""Who can play a seat inside the core, by the number that `engine.turns.core.Batch` gives it, less 1."""
HOUSE_NODES: Final = 500
"""How many positions the house's planner looks at for an answer."""
MOST: Final = 1 << 62


def batch(
    variant: str,
    players: int,
    games: int,
    buffers: Sequence[object],
    *,
    prefix: str,
    first: int,
    everything: bool,
    again: bool,
    stride: int = 0,
    opponents: Sequence[str | None] = (),
    nodes: int = HOUSE_NODES,
) -> Batch:
    """A batch of games of turns; `engine.turns.core.Batch` says what the arguments mean.

    Deal ``k`` is ``engine.deal(variant, f"{prefix}{k}", players)``. `opponents` has for each seat one of
    `OPPONENTS`, or None for the caller; the planner looks at `nodes` positions for an answer.

    Raises:
        EngineError: not a variant of turns, a wrong number of players, too long a prefix, or no such
            opponents.
        ValueError: not 1 to 512 nodes.
    """
    rules = engine.variant(variant)
    if rules.in_ticks:
        raise EngineError(f"expected a game of turns, got {variant}, which is played in ticks")
    rules.check_players(players)
    text = prefix.encode()
    if len(text) > 40:
        raise EngineError(f"expected a prefix of at most 40 bytes, got {len(text)}")
    if opponents and (
        len(opponents) != players or None not in opponents or {*opponents} - {None, *OPPONENTS}
    ):
        raise EngineError(
            f"expected for each of {players} seats one of {', '.join(OPPONENTS)} or None, with None at least"
            f" once, got {opponents!r}"
        )
    dealer = Dealer(rules, players, bytes(kind(card, rules.ranks) for card in PACK), text)
    core, _ = to_core(deal(rules, bytes(32), players))
    policies = bytes(OPPONENTS.index(each) + 1 if each else 0 for each in opponents)
    ranks = rank_table((TARGETS,) * players)
    return Batch(
        *(dealer, core, games, buffers, first, everything, again, stride),
        *(policies, ranks, EMPTIES_HOUSE, nodes),
    )


def deal_number(seed: Any) -> int:
    """The number of a deal, as all environments take it where they are reset.

    Raises:
        ValueError: not a whole number from 0 to 2**62.
    """
    if not isinstance(seed, Integral) or isinstance(seed, bool) or not 0 <= int(seed) <= MOST:
        raise ValueError(f"expected the number of a deal from 0 to {MOST}, got {seed!r}")
    return int(seed)
