"""Counts requests by address in windows of time, in the shared cache, for all serving processes together.

If the cache is away, nothing is counted and nobody is refused.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.core.cache import cache

if TYPE_CHECKING:
    from collections.abc import Mapping

HOUSEHOLD_BITS = 64
"""An IPv6 subscriber has at least a network of this size, and may use any address in it."""
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


def counted_address(address: str) -> str:
    """Return the address, or for IPv6 its network. Anything that is not an address is returned as it is."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, HOUSEHOLD_BITS), strict=False))


def of_scope(scope: Mapping[str, Any]) -> str:
    """Return the address of an ASGI connection: the peer's, or the one a trusted proxy reports."""
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        for name, value in scope["headers"]:
            if name == b"x-forwarded-for":
                # The proxy appends the address it saw; whatever stands before it was sent by the client.
                address = value.decode("latin-1").rpartition(",")[2].strip()
    return counted_address(address)
