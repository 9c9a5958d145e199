"""Glicko-2: ratings of those who meet once and for all, such as people and the puzzles they try.

Mark E. Glickman, *Example of the Glicko-2 system* (2013, https://www.glicko.net/glicko/glicko2.pdf); the
numbers of steps below are his. Unlike the ratings of bots, which are fitted to all games at once, such a
rating moves after each meeting.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RATING: Final = 1500.0
DEVIATION: Final = 350.0
VOLATILITY: Final = 0.06
"""Of whoever has not met anybody yet: step 1."""
SCALE: Final = 173.7178
TAU: Final = 0.5
"""How much volatilities may change: from 0.3 to 1.2, says step 1."""
CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating with its standard deviation, and how erratic its results have been."""

    rating: float = RATING
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    def after(self, results: Sequence[tuple[Glicko, float]]) -> Glicko:
        """The rating after a period: `results` are opponents as they were before it, and scores from 0 to 1.

        >>> player = Glicko(1500, 200)
        >>> met = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
        >>> after = player.after(met)
        >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
        (1464.05, 151.52, 0.06)
        """
        here, wide = (self.rating - RATING) / SCALE, self.deviation / SCALE
        informed, moved = 0.0, 0.0
        for other, score in results:  # steps 3 and 4
            weight = 1 / math.sqrt(1 + 3 * (other.deviation / SCALE / math.pi) ** 2)
            likely = 1 / (1 + math.exp(-weight * (here - (other.rating - RATING) / SCALE)))
            informed += weight**2 * likely * (1 - likely)
            moved += weight * (score - likely)
        if not informed:
            return Glicko(self.rating, math.hypot(wide, self.volatility) * SCALE, self.volatility)
        volatility = self._erratic(wide, 1 / informed, moved / informed)
        spread = math.hypot(wide, volatility)  # step 6
        narrow = 1 / math.sqrt(1 / spread**2 + informed)  # step 7
        return Glicko(RATING + SCALE * (here + narrow**2 * moved), SCALE * narrow, volatility)

    def _erratic(self, wide: float, variance: float, change: float) -> float:
        """The new volatility: step 5, by the Illinois method."""
        before = math.log(self.volatility**2)

        def slope(x: float) -> float:
            power = math.exp(x)
            total = wide**2 + variance + power
            return power * (change**2 - total) / (2 * total**2) - (x - before) / TAU**2

        low, high = before, self._bound(slope, before, wide, variance, change)
        at_low, at_high = slope(low), slope(high)
        while abs(high - low) > CLOSE:
            middle = low + (low - high) * at_low / (at_high - at_low)
            there = slope(middle)
            if there * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = middle, there
        return math.exp(low / 2)

    @staticmethod
    def _bound(
        slope: Callable[[float], float], before: float, wide: float, variance: float, change: float
    ) -> float:
        """The other end of where step 5 looks for its zero."""
        if change**2 > wide**2 + variance:
            return math.log(change**2 - wide**2 - variance)
        steps = 1
        while slope(before - steps * TAU) < 0:
            steps += 1
        return before - steps * TAU
