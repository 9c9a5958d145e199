"""Newton's method on a concave likelihood, with steps that are never too long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LONGEST: Final = 2.0
"""Log odds that a rating moves in one step."""
MOST_STEPS: Final = 100


def climb(
    start: NDArray[np.float64],
    step: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    close: float,
) -> NDArray[np.float64]:
    """The ratings from which `step` leads away by less than `close`."""
    rating = start.copy()
    for _ in range(MOST_STEPS):
        found = step(rating)
        largest = float(np.max(np.abs(found)))
        rating += found * min(1.0, LONGEST / max(largest, 1e-300))
        if largest < close:
            break
    return rating
