"""Adam (Kingma & Ba, 2015), with a rate that falls in a straight line and with weight decay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

MEAN: Final = 0.1
SQUARE: Final = 0.001
"""How much of a new slope, and of its square, the running means take up."""
TINY: Final = 1e-8


class Adam:
    """Changes the arrays `parts` in place, step by step.

    Args:
        steps: how many steps there will be; the rate falls from `rate` to nearly `least` over them.
        decay: what share of each decaying part is added to its slope.
        decaying: for each part whether it decays; all do if nothing is given.
    """

    def __init__(
        self,
        parts: Sequence[Floats],
        *,
        steps: int,
        rate: float,
        least: float = 0.0,
        decay: float = 0.0,
        decaying: Sequence[bool] | None = None,
    ) -> None:
        self.parts = parts
        self.steps, self.rate, self.least, self.decay = steps, rate, least, decay
        self.decaying = [True] * len(parts) if decaying is None else decaying
        self.means = [np.zeros_like(part) for part in parts]
        self.squares = [np.zeros_like(part) for part in parts]
        self.done = 0

    def step(self, slopes: Sequence[Floats]) -> None:
        """One step down the slopes, one array for each part."""
        self.done += 1
        rate = self.rate * (1 - self.done / (self.steps + 1)) + self.least
        for place, (part, slope) in enumerate(zip(self.parts, slopes, strict=True)):
            full = slope + self.decay * part if self.decaying[place] else slope
            self.means[place] += MEAN * (full - self.means[place])
            self.squares[place] += SQUARE * (full**2 - self.squares[place])
            move = self.means[place] / (1 - (1 - MEAN) ** self.done)
            spread = np.sqrt(self.squares[place] / (1 - (1 - SQUARE) ** self.done))
            part[...] -= rate * move / (spread + TINY)
