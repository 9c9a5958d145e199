"""Round-robin schedules by the circle method (Schurig tables), and who sits where in the games of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def rounds(count: int) -> int:
    """Return the number of rounds of a single round-robin of `count` entrants."""
    return count - 1 if count % 2 == 0 else count


def circle(count: int, cycles: int = 1) -> Iterator[list[tuple[int, int]]]:
    """Return the rounds of a `cycles`-fold round-robin, each a list of (first, second) from 0 … count-1.

    Everyone meets everyone once per cycle and plays at most once per round. With an odd number, one entrant
    sits out each round. Who is first alternates, and is swapped from cycle to cycle.
    """
    even = count + count % 2
    for cycle in range(cycles):
        ring = list(range(even))
        for _ in range(even - 1):
            games = []
            for table in range(even // 2):
                low, high = sorted((ring[table], ring[even - 1 - table]))
                if high >= count:
                    continue
                # Named by parity, everyone is first as often as second, or once more or less.
                games.append((low, high) if (low + high + cycle) % 2 else (high, low))
            yield games
            ring = [ring[0], ring[-1], *ring[1:-1]]


Player = TypeVar("Player")


def rotations(players: Sequence[Player]) -> list[tuple[Player, ...]]:
    """Return one seating per game, so that everyone has every seat once.

    Between two: as given, and swapped.
    """
    return [(*players[shift:], *players[:shift]) for shift in range(len(players))]
