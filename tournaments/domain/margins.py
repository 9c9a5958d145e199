"""Who is better by margins: a verdict of its own beside the Elo that counts wins.

Student's t on the mean margins of pairs (the pair is the unit; W. S. Gosset, Biometrika 6, 1908). Cards
left or points say more than who won, but they can be lost on purpose: the two verdicts are never mixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tournaments.domain import student


@dataclass(frozen=True, slots=True)
class MarginVerdict:
    """The mean margin a game with its 95 % interval, and the two-sided p-value of "no difference"."""

    pairs: int
    mean: float
    low: float
    high: float
    p: float

    @property
    def better(self) -> int:
        """1 if the first is better at the 5 % level, -1 if the second is, 0 if that is open."""
        if self.p >= 0.05:
            return 0
        return 1 if self.mean > 0 else -1


def verdict(pairs: int, total: float, squares: float) -> MarginVerdict | None:
    """The verdict on so many pairs with this sum and sum of squares of mean margins; None below two pairs.

    Pairs that all have the same margin (near-deterministic twins) have no spread to measure: then nothing
    is proved by fewer than six of them, as by a sign test.
    """
    if pairs < 2:
        return None
    mean = total / pairs
    variance = max(0.0, (squares - pairs * mean**2) / (pairs - 1))
    if variance <= 1e-12 * max(1.0, mean**2):
        return MarginVerdict(pairs, mean, mean, mean, 1.0 if mean == 0 else 2.0 ** (1 - pairs))
    error = math.sqrt(variance / pairs)
    half = student.quantile(0.975, pairs - 1) * error
    return MarginVerdict(
        pairs, mean, mean - half, mean + half, 2 * student.tail(abs(mean) / error, pairs - 1)
    )
