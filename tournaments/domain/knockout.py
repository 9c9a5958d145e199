"""Who goes on in a knock-out match."""

from __future__ import annotations

from typing import Final

EXTRA_PAIRS: Final = 3
"""Pairs added one by one while a knock-out match is level."""


def goes_on(points: tuple[float, float], margin: float, seeds: tuple[int, int], extra: int) -> int | None:
    """0 or 1 for the one of two who goes on, None if another pair must be played.

    More points; if level after all `extra` pairs were played, the larger margin (of the first over the
    second); if that is level too, the better (lower) seed.
    """
    first, second = points
    if first != second:
        return 0 if first > second else 1
    if extra < EXTRA_PAIRS:
        return None
    if margin:
        return 0 if margin > 0 else 1
    return 0 if seeds[0] < seeds[1] else 1
