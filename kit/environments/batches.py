"""A batch of games by name: what the environments put their arrays around."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine.cards import PACK, kind
from engine.errors import EngineError
from engine.turns.conversion import to_core
from engine.turns.core import Batch, Dealer
from engine.turns.deal import deal

if TYPE_CHECKING:
    from collections.abc import Sequence


def batch(
    variant: str,
    players: int,
    games: int,
    buffers: Sequence[object],
    *,
    seed: str,
    first: int,
    everything: bool,
    again: bool,
) -> Batch:
    """A batch of games of turns; `engine.turns.core.Batch` says what the arguments mean.

    Deal ``k`` is ``engine.deal(variant, f"{seed}{k}", players)``.

    Raises:
        EngineError: not a variant of turns, a wrong number of players, or too long a seed.
    """
    rules = engine.variant(variant)
    if rules.in_ticks:
        raise EngineError(f"expected a game of turns, got {variant}, which is played in ticks")
    rules.check_players(players)
    prefix = seed.encode()
    if len(prefix) > 40:
        raise EngineError(f"expected a seed of at most 40 bytes, got {len(prefix)}")
    dealer = Dealer(rules, players, bytes(kind(card, rules.ranks) for card in PACK), prefix)
    core, _ = to_core(deal(rules, bytes(32), players))
    return Batch(dealer, core, games, buffers, first, everything, again)
