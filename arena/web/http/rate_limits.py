"""Counts requests in windows of time, in the shared cache, so that all serving processes count together.

If the cache is away, nothing is counted and nobody is refused.
"""

from __future__ import annotations

import logging
import time
from typing import NamedTuple

from django.core.cache import cache

logger = logging.getLogger(__name__)


class Spent(NamedTuple):
    """Requests in the current window, including this one, and in how many seconds the next one begins."""

    used: int
    resets_in: int


def spend(key: str, seconds: int, now: float | None = None) -> Spent:
    """Count one request under a key; each window lasts `seconds`."""
    window, into = divmod(time.time() if now is None else now, seconds)
    return Spent(_add_one(f"{key}:{window:.0f}", seconds), max(1, round(seconds - into)))


def _add_one(key: str, seconds: int) -> int:
    """Add one to a counter of the shared cache and return it; 0 if the cache is away."""
    try:
        cache.add(key, 0, timeout=2 * seconds)
        return cache.incr(key)
    except ValueError:  # it expired, or was dropped, in between
        return 1
    except Exception as error:  # each cache has errors of its own, and none may close the site
        logger.warning("requests are not counted: %s: %s", type(error).__name__, error)
        return 0
