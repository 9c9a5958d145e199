"""Confidence intervals and verdicts for a series of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Z95: Final = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def excludes(self, value: float) -> bool:
        """Whether the interval lies entirely on one side of `value`."""
        return not self.low <= value <= self.high


def score_interval(penta: Sequence[int]) -> Interval | None:
    """Return the mean score per game (0 … 1) of `penta[k]` pairs with k of 4 half points; None without pairs.

    This is Agresti and Coull's idea (The American Statistician 52, 1998) with pairs as the unit: two imagined
    lost pairs and two won ones are added to find the centre and the spread. So 10-0 gets an honest interval,
    and near-deterministic twins do not get an empty one.
    """
    pairs = sum(penta)
    if not pairs:
        return None
    value = sum(count * k / 4 for k, count in enumerate(penta)) / pairs
    added = (penta[0] + Z95**2 / 4, penta[1], penta[2], penta[3], penta[4] + Z95**2 / 4)
    total = sum(added)
    centre = sum(count * k / 4 for k, count in enumerate(added)) / total
    variance = sum(count * (k / 4 - centre) ** 2 for k, count in enumerate(added)) / total
    half = Z95 * math.sqrt(variance / total)
    return Interval(value, min(max(0.0, centre - half), value), max(min(1.0, centre + half), value))


def mean_error(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean about 0; infinite if all values are 0, which tell no scale.

    As above, two values as far from 0 as the farthest, one either way, are imagined: so values that are all
    alike are never a certainty.
    """
    farthest = max((abs(value) for value in values), default=0.0)
    if not farthest:
        return math.inf
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in (*values, farthest, -farthest))
    return Z95 * math.sqrt(spread / (len(values) + 1) / len(values))
