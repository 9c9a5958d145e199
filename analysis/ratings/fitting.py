"""What the fits of pairs and of whole tables share: Newton's method, and moving ratings to the anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def anchor_ratings(
    players: Sequence[int],
    groups: Sequence[NDArray[np.intp]],
    ratings: NDArray[np.float64],
    covariance: NDArray[np.float64],
    known: Mapping[int, float],
    *,
    otherwise: float,
) -> NDArray[np.bool_]:
    """Move `ratings` and their `covariance`, both in Elo and in place; return who is connected to an anchor.

    In each of the connected `groups` the `known` players stand, on average, where they were put. The mean of
    a group without any is `otherwise`.
    """
    held_by = np.zeros(len(players), dtype=bool)
    for group in groups:
        held = np.array([players[index] in known for index in group], dtype=np.float64)
        held_by[group] = held.any()
        weights = held / held.sum() if held.any() else np.full(len(group), 1 / len(group))
        at = np.array([known.get(players[index], otherwise) for index in group])
        ratings[group] += weights @ (at - ratings[group])
        # The same shift for the values and, as a matrix, for their covariance.
        block = np.ix_(group, group)
        moved = covariance[block]
        moved = moved - weights @ moved
        covariance[block] = moved - (moved @ weights)[:, None]
    return held_by
