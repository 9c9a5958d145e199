"""Whose turn it is: authors, the house and the ladders share the games that are played at once."""

from __future__ import annotations

from tournaments.models import Tournament


def turn_of(tournament: Tournament) -> str:
    """Whose turn a game of this tournament takes: its owner's, the house's, or the ladders'."""
    return turn(tournament.format, tournament.owner_id)


def turn(kind: str, owner: int | None) -> str:
    """The same by a tournament's format and owner; without an owner, it is the house's."""
    if kind == Tournament.Format.LADDER:
        return "ladders"
    return f"user {owner}" if owner else "house"
