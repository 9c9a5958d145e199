"""How large a tournament will be, known before it is created."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tournaments.domain import circle
from tournaments.domain.errors import InvalidTournament


@dataclass(frozen=True, slots=True)
class Size:
    """Rounds, pairings, pairs and games of a whole tournament; at most that many where results decide."""

    rounds: int
    pairings: int
    pairs: int
    games: int

    def seconds(self, seconds_a_game: float, at_once: int) -> float:
        """About how long it takes with `at_once` games running side by side."""
        return math.ceil(self.games / max(1, at_once)) * seconds_a_game


def size(kind: str, entrants: int, *, players: int, cycles: int, rounds: int, pairs: int) -> Size:
    """The size of a tournament; InvalidTournament if it cannot be held with so many entrants."""
    if entrants < players:
        noun = "entrant" if entrants == 1 else "entrants"
        raise InvalidTournament(f"Expected at least {players} entrants, got {entrants} {noun}.", "versions")
    if kind != "round-robin":
        raise InvalidTournament(f"Expected a format that can be played, got {kind!r}.", "format")
    if players != 2:
        raise InvalidTournament(f"Expected a game of two seats for this format, got {players}.", "players")
    played = circle.rounds(entrants) * cycles
    pairings = entrants * (entrants - 1) // 2 * cycles
    return Size(played, pairings, pairings * pairs, pairings * pairs * players)
