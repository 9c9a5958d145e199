"""Who sits where in the games of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Player = TypeVar("Player")


def rotations(players: Sequence[Player]) -> list[tuple[Player, ...]]:
    """Return one seating per game, so that everyone has every seat once.

    Between two: as given, and swapped.
    """
    return [(*players[shift:], *players[:shift]) for shift in range(len(players))]
