"""Sends a message to an address that a stranger gave, and to nowhere inside.

The host's name is resolved once, every address it has must be public, and the connection goes to one of those
very addresses: whatever the name says a moment later. Redirects are not followed. All of it, however slowly
the other side answers, is over after :data:`SECONDS`.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS: Final = 10.0
PORTS: Final = {"http": 80, "https": 443}
LOWEST_FREE_PORT: Final = 1024
LONGEST: Final = 500
MOST_BYTES: Final = 64 << 10
NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class AddressRefused(Exception):
    """The message may not go there; ``str()`` is a sentence for whoever gave the address."""


class Unreachable(Exception):
    """The message did not arrive; ``str()`` says why."""


@dataclass(frozen=True, slots=True)
class CheckedAddress:
    """A checked address: where to connect, and what to ask for there."""

    scheme: str
    host: str
    port: int
    path: str


def checked_url(url: str) -> CheckedAddress:
    """Return the parts of an address, if its text allows sending to it. Raises `AddressRefused`."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise AddressRefused(gettext("Enter an address such as https://example.org/hook."))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused(gettext("Enter an address such as https://example.org/hook.")) from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise AddressRefused(gettext("Enter an address that begins with https:// or http://."))
    if parts.username is not None or parts.password is not None:
        raise AddressRefused(gettext("An address must not contain a user name or password."))
    port = PORTS[parts.scheme] if port is None else port
    if port not in PORTS.values() and port < LOWEST_FREE_PORT:
        raise AddressRefused(
            gettext("Port %(port)s is not allowed. Use 80, 443, or one from %(least)s on.")
            % {"port": port, "least": LOWEST_FREE_PORT}
        )
    with suppress(ValueError):
        _assert_public(ipaddress.ip_address(parts.hostname))
    return CheckedAddress(parts.scheme, parts.hostname, port, _path(parts))


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send a body and return the status of the answer. Raises `AddressRefused` and `Unreachable`."""
    target = checked_url(url)
    return _exchange(target, _resolved(target), body, headers, SECONDS, most=0)[0]


def ask(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float) -> tuple[int, bytes]:
    """Send a body to an address that the operator gave, which may be inside; status and body of the answer.

    Of a longer answer only the first `MOST_BYTES` come back. Raises `Unreachable`.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    target = CheckedAddress(parts.scheme, host, parts.port or PORTS[parts.scheme], _path(parts))
    return _exchange(target, host, body, headers, seconds, most=MOST_BYTES)


def _exchange(
    target: CheckedAddress,
    address: str,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    *,
    most: int,
) -> tuple[int, bytes]:
    """Send a body to this address of a target; status and the first `most` bytes of the answer.

    Raises `Unreachable`.
    """
    held = _HeldSocket()
    # A timeout of the socket counts from byte to byte; this one counts all of them.
    watch = threading.Timer(seconds, held.cut)
    watch.daemon = True
    watch.start()
    try:
        connection = _connection(target, address, held, seconds)
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
        with connection.getresponse() as answer:
            return answer.status, answer.read(most)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(f"No answer: {type(error).__name__}.") from error
    finally:
        watch.cancel()
        held.close()


class _HeldSocket:
    """The socket in use, which another thread may break off."""

    def __init__(self) -> None:
        self.socket: socket.socket | None = None

    def cut(self) -> None:
        """Break it off, whatever its thread waits for."""
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        if self.socket is not None:
            self.socket.close()


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _resolved(target: CheckedAddress) -> str:
    """One of the host's addresses, all of which are public. Raises Refused and Unreachable."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(gettext("The host's name has no address.")) from error
    addresses = [str(one[4][0]) for one in found]
    if not addresses:
        raise Unreachable(gettext("The host's name has no address."))
    for address in addresses:
        _assert_public(ipaddress.ip_address(address.partition("%")[0]))
    return addresses[0]


def _assert_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    """Raise :class:`AddressRefused` for an address inside, unless the operator allows its network."""
    if any(address in network for network in settings.WEBHOOK_NETWORKS):
        return
    leads: ipaddress.IPv4Address | ipaddress.IPv6Address = address
    if isinstance(address, ipaddress.IPv6Address):
        # An address that carries an IPv4 address leads where that one leads.
        leads = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1] or address
        if address in NAT64:
            leads = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    inside = leads.is_multicast or leads.is_reserved or getattr(leads, "is_site_local", False)
    if inside or not leads.is_global:
        raise AddressRefused(gettext("This address leads to a private network."))


def _connection(
    target: CheckedAddress, address: str, held: _HeldSocket, seconds: float
) -> http.client.HTTPConnection:
    """A connection to the checked address; for https with the certificate of the name."""
    held.socket = socket.create_connection((address, target.port), timeout=seconds)
    made: http.client.HTTPConnection = http.client.HTTPConnection(target.host, target.port)
    if target.scheme == "https":
        made = http.client.HTTPSConnection(target.host, target.port)
        wrapped = ssl.create_default_context().wrap_socket(
            held.socket, server_hostname=target.host, do_handshake_on_connect=False
        )
        held.socket = wrapped
        wrapped.do_handshake()
    made.sock = held.socket
    return made
