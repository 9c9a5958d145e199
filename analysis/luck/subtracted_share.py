"""Decides how much of the measured luck to subtract from a pair, depending on the two bots.

The published share (`values`) is right for bots in general. For two bots that play differently from the
simulated games it is too large, and their adjusted results vary more than necessary. So the share of each
pair is fitted to the earlier pairs of the two bots, and pulled towards the published share while there are
few. The luck of a pair has mean zero whatever happened before. So whatever share of it is subtracted, the
rest keeps the mean of the result, as long as neither that pair nor a later one influenced the share. This is
the control variate of S. Lavenberg and P. Welch (Management Science 27, 1981), fitted step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLISHED: Final = 10
"""The number of pairs that the published share counts for."""


def adjust_pairs(pairs: Iterable[tuple[float, float]]) -> list[float]:
    """Return the adjusted value of each pair, given (value, luck by the published share) in playing order.

    >>> adjust_pairs([(1.0, 0.5), (-1.0, -0.5)])
    [0.5, -0.5]
    """
    out = []
    values, lucks, products, squares = 0.0, 0.0, 0.0, 0.0
    for count, (value, luck) in enumerate(pairs):
        share = 1.0
        if count > 1 and squares > 0:
            told = (products - values * lucks / count) / squares * count  # their share, times one pair less
            share = min(1.0, max(0.0, (told + PUBLISHED) / (count - 1 + PUBLISHED)))
        out.append(value - share * luck)
        values, lucks = values + value, lucks + luck
        products, squares = products + value * luck, squares + luck * luck
    return out
