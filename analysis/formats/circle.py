"""Round-robin schedules by the circle method (Schurig tables)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def rounds(count: int) -> int:
    """How many rounds a single round-robin of `count` entrants has."""
    return count - 1 if count % 2 == 0 else count


def circle(count: int, cycles: int = 1) -> Iterator[list[tuple[int, int]]]:
    """The rounds of a `cycles`-fold round-robin among entrants 0 … count-1, each a list of (first, second).

    Everyone meets everyone once a cycle and plays at most once a round; with an odd number one sits out
    each round. Who is named first alternates, and is swapped from cycle to cycle.
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
