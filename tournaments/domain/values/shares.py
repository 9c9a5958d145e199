"""What part of the luck that is seen is to be taken away, so that results vary least."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def fitted(raw: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Shares by least squares, between 0 and 1, (parts, 2), and what of the variance they leave, (2,).

    Args:
        raw: the result and margin of each game, (games, 2).
        seen: the luck of both that was seen in it, by part, (games, parts, 2).
    """
    best = [np.linalg.lstsq(seen[:, :, kind], raw[:, kind], rcond=None)[0] for kind in range(2)]
    shares = np.clip(np.asarray(best).T, 0.0, 1.0).round(2)
    left = (raw - (seen * shares).sum(axis=1)).var(axis=0) / raw.var(axis=0)
    return shares, left
