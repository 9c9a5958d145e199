"""Tests two means of bounded values by betting: right whatever the distribution, and of any number.

One player bets against "the mean is the lower one or less", another against "it is the higher one or more",
each the stake that grows fastest if the other hypothesis is true, given the variance of earlier values (I.
Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
Statistical Society B 86, 2024). A bet against what is true is no better than fair, so whoever starts with 1
ever reaches 1 / risk with at most that risk (J. Ville, 1939).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

INDEPENDENT: Final = 0.125
"""The variance of a pair's score (0 … 1) when both games are won or lost independently by equals."""

IMAGINED: Final = 5
"""Such pairs, from whose variance stakes start."""

MOST_STAKE: Final = 0.9
"""The largest part of the wealth that a value can lose."""


def bets(values: Floats, means: tuple[float, float], farthest: float) -> Floats:
    """How much more, in log wealth, bets against the lower mean win than bets against the higher one.

    After each value; of both only what is won counts. Values further from 0 than `farthest` count as that. In
    ordinary play this is the log-likelihood ratio of the two means. A stake is the part of the wealth put on
    a value's distance from the mean: the distance of the means over the mean square.
    """
    low, high = means
    before = np.arange(len(values))
    held = np.clip(values, -farthest, farthest)
    total, squares = np.cumsum(held) - held, np.cumsum(held**2) - held**2
    spread = np.maximum(squares - total**2 / np.maximum(before, 1), 0.0)
    variance = (spread + IMAGINED * INDEPENDENT) / (before + IMAGINED)
    stake = (high - low) / (variance + (high - low) ** 2)
    above = np.cumsum(np.log1p(np.minimum(stake, MOST_STAKE / (farthest + low)) * (held - low)))
    below = np.cumsum(np.log1p(np.minimum(stake, MOST_STAKE / (farthest - high)) * (high - held)))
    return np.asarray(np.maximum(above, 0.0) - np.maximum(below, 0.0))
