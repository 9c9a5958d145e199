"""How much of the measured luck to take out of a pair of two bots: as much as it tells of their games.

The published share (`values`) is right for bots in general. Where two play otherwise than the games that are
played on for the values, it is too much, and their adjusted results vary more than they need to. So the share
of each pair is fitted on the pairs of the two that were made before it, and drawn towards the published one
while these are few. A pair's luck has mean zero whatever happened before: whatever share of it is taken out,
the rest has the mean of the result, as long as nothing of that pair or a later one went into the share. As a
control variate it is that of S. Lavenberg and P. Welch (Management Science 27, 1981), fitted step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLISHED: Final = 10
"""As many pairs as the published share counts for."""


def adjusted(pairs: Iterable[tuple[float, float]]) -> list[float]:
    """What is left of each pair's value, given (value, luck by the published share) in the order in which the
    pairs were made.

    >>> adjusted([(1.0, 0.5), (-1.0, -0.5)])
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
