"""Deals and positions of any game, turn-based or `vitesse`, for those who play them all alike."""

from __future__ import annotations

from engine import vitesse
from engine.deal import deal
from engine.position import Position
from engine.variants import any_variant
from engine.vitesse import Race


def any_deal(name: str, seed: str | bytes, players: int = 2) -> Position | Race:
    """The position at the start of a game.

    Raises:
        UnknownVariant: no such variant, or not for so many players.
        NotationError: not such a seed.

    >>> any_deal("vitesse", "00" * 32).variant, any_deal("crapo", "00" * 32).variant
    ('vitesse', 'crapo')
    """
    rules = any_variant(name)
    rules.check_players(players)
    return vitesse.deal(seed) if rules.in_ticks else deal(rules, seed, players)


def any_position(line: str) -> Position | Race:
    """Read a line of RULES 1 or of RULES 7.

    Raises:
        NotationError, UnknownVariant: as `position.Position.parse` and `vitesse.Race.parse`.
    """
    return Race.parse(line) if line.split(" ", 1)[0] == vitesse.NAME else Position.parse(line)
