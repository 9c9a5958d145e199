"""The websocket between an author and an arena: opened for that site alone, read in frames of limited size.

The frames are described in docs/author/remote.md.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import urllib.error
from email.message import Message
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException

from kit.site.client import SiteRefused, SiteUnreachable, describe_refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from kit.site.client import Site

PATH: Final = "/api/v1/remote/"
WIRE: Final = 1
FRAME_BYTES: Final = 64 << 10
"""The longest frame that the site takes."""
SITE_FRAME_BYTES: Final = 256 << 10
"""The longest frame that is read from it: a line of 64 KiB, wrapped."""
OPEN_S: Final = 20.0
ALIVE_S: Final = 20.0
"""How often the other end is pinged, and how long it may be silent."""
LATER: Final = {"off": 30.0, "restarting": 0.0, "too-slow": 0.0, "too-fast": 60.0, "limit": 60.0}
"""Refusals after which it is worth connecting again, with the seconds before that."""
REFUSED: Final = 4400
TOO_FAST: Final = 4429
UNREACHABLE: Final = 4503
"""Codes with which the site closes the connection."""
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 60.0


class Dropped(Exception):
    """The connection is lost, and may come back; the message is a sentence."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after
        """The least pause before the next connection, in seconds."""


class _Connect(connect):
    """websockets would follow a redirect, and send the token along, to wherever it points."""

    def process_redirect(self, exc: Exception) -> Exception:
        """Follow none: the answer comes back as an error with its status."""
        return exc


class Wire:
    """An open connection: JSON objects to and fro."""

    def __init__(self, socket: ClientConnection, origin: str) -> None:
        self._socket = socket
        self._origin = origin
        self._refusal: tuple[str, str] | None = None

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame; one that a lost connection swallows is asked for again."""
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(encode(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame. Raises Dropped if the connection is lost, SiteRefused if the site ended it."""
        try:
            text = await self._socket.recv(decode=True)
        except ConnectionClosed as closed:
            raise self._describe(closed) from None
        try:
            frame = json.loads(text)
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
            raise SiteRefused(f"Expected the frames of an arena from {self._origin}, got {text[:80]!r}.")
        if frame["type"] == "refused":
            self._refusal = str(frame.get("code", "")), str(frame.get("message", ""))
        return frame

    async def close(self) -> None:
        """Close it."""
        await self._socket.close()

    def _describe(self, closed: ConnectionClosed) -> Exception:
        """Why the connection ended: lost, or refused for good."""
        number = 0 if closed.rcvd is None else closed.rcvd.code
        code, message = self._refusal or ("", f"{self._origin} closed the connection ({number}).")
        if self._refusal is None and not REFUSED <= number < REFUSED + 200:
            return Dropped(f"The connection to {self._origin} is lost.")
        if code in LATER or number in (TOO_FAST, UNREACHABLE):
            return Dropped(message, LATER.get(code, LATER["limit"]))
        return SiteRefused(message)


@contextlib.asynccontextmanager
async def open_wire(site: Site) -> AsyncIterator[Wire]:
    """A connection to the site, closed at the end. Raises SiteRefused and SiteUnreachable."""
    socket = await _open(site)
    try:
        yield Wire(socket, site.origin)
    finally:
        await socket.close()


async def _open(site: Site) -> ClientConnection:
    """Shake hands. Raises SiteRefused and SiteUnreachable."""
    address = "ws" + site.origin.removeprefix("http") + PATH
    try:
        return await _Connect(
            address,
            additional_headers=site.bearer(),
            user_agent_header="crapette connect",
            compression=None,
            open_timeout=OPEN_S,
            ping_interval=ALIVE_S,
            ping_timeout=ALIVE_S,
            close_timeout=1.0,
            max_size=SITE_FRAME_BYTES,
        )
    except InvalidStatus as refused:
        raise _describe_status(refused, site.origin) from None
    except (OSError, InvalidHandshake, WebSocketException, EOFError, ValueError) as error:
        known = isinstance(error, ConnectionError) and error.errno
        reason = (os.strerror(known) if known else str(error).strip()) or type(error).__name__
        raise SiteUnreachable(f"Expected an answer from {site.origin}, got: {reason}.") from None


def _describe_status(refused: InvalidStatus, origin: str) -> SiteRefused:
    """What an answer says that is no websocket."""
    response = refused.response
    headers = Message()
    for name, value in response.headers.raw_items():
        headers[name] = value
    body = io.BytesIO(bytes(response.body or b""))
    status, later = response.status_code, headers.get("Retry-After")
    words, _ = describe_refusal(
        urllib.error.HTTPError(origin, status, response.reason_phrase, headers, body), origin
    )
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return SiteUnreachable(words, status, retry_after=later)
    return SiteRefused(words, status)


def encode(frame: dict[str, Any]) -> str:
    """A frame as text."""
    return json.dumps(frame, separators=(",", ":"), ensure_ascii=False)


def pauses() -> Iterator[float]:
    """Yield the seconds before each new attempt: about twice as long each time, up to a minute, by chance."""
    longest = FIRST_PAUSE_S
    while True:
        yield longest * random.uniform(0.5, 1.0)  # noqa: S311 (so that not all come back at once)
        longest = min(longest * 2, LONGEST_PAUSE_S)
