"""Is something more frequent here than elsewhere, given that what it happens to differs?"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Stratum:
    """Events among trials of one kind, here and elsewhere."""

    here: int
    of_here: int
    elsewhere: int
    of_elsewhere: int


@dataclass(frozen=True, slots=True)
class Excess:
    """How many events there were here, how many were expected, and how likely so large a difference is."""

    found: int
    expected: float
    chi_squared: float

    @property
    def p(self) -> float:
        """The chance of a difference this large in either direction."""
        return erfc(sqrt(self.chi_squared / 2))


def excess(strata: Iterable[Stratum]) -> Excess:
    """Compare within each kind, and add up.

    The statistic of N. Mantel and W. Haenszel ("Statistical aspects of the analysis of data from
    retrospective studies of disease", 1959) with its continuity correction: χ² with one degree of freedom. A
    kind that is found only here, or to which it always happens, tells nothing.
    """
    found, expected, variance = 0, 0.0, 0.0
    for one in strata:
        total = one.of_here + one.of_elsewhere
        events = one.here + one.elsewhere
        if total < 2:
            continue
        found += one.here
        expected += one.of_here * events / total
        spread = one.of_here * one.of_elsewhere * events * (total - events)
        variance += spread / (total * total * (total - 1))
    if variance <= 0:
        return Excess(found, expected, 0.0)
    return Excess(found, expected, max(0.0, abs(found - expected) - 0.5) ** 2 / variance)
