"""What two players made of their pairs: the input of a fit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """All accepted pairs of two players: `penta[k]` pairs in which `first` scored k of 4 half points.

    Each pair counts as `weight` pairs, from 0 to 1.
    """

    first: int
    second: int
    penta: tuple[int, int, int, int, int]
    weight: float = 1.0

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.penta)
