"""The address of a connection, by which limits are counted."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Mapping

HOUSEHOLD_BITS = 64
"""An IPv6 subscriber has at least a network of this size, and may use any address in it."""


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
