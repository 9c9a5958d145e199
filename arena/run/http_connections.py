"""HTTP connections as the server takes them: bounded in number, and none may be half-said for long.

uvicorn reads a request for as long as its sender likes, and any number of them. Here a request's head must
arrive whole within :data:`HEAD_SECONDS` and within :data:`HEAD_BYTES`, its body within
:data:`BODY_SECONDS`, and one address has at most ``CONNECTIONS_PER_ADDRESS`` connections. Behind a proxy all
connections come from one address, so there the proxy counts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from arena.web.http.rate_limits import counted_address

if TYPE_CHECKING:
    import asyncio

HEAD_SECONDS = 10.0
HEAD_BYTES = 64 << 10
BODY_SECONDS = 120.0
"""Enough for the largest upload over a slow line."""
LINGER_SECONDS = 0.5
FLUSH_SECONDS = 30.0
"""How long a closed connection may take to read what was sent to it."""

REFUSAL = (
    "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n"
    "connection: close\r\n\r\n{sentence}"
)
LATE = ("408 Request Timeout", "The request did not arrive in time.")

_open: Counter[str] = Counter()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, with bounds."""

    _address = ""
    _timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _in_head = True
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and give it time for a first request."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS, *LATE)
        if not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
            self._address = counted_address(self.client[0] if self.client else "")
            _open[self._address] += 1
            if _open[self._address] > settings.CONNECTIONS_PER_ADDRESS:
                self._refuse("429 Too Many Requests", "Your address has too many open connections.")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting it."""
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes, not too many of them before the end of a head."""
        if self._refused or self.transport.is_closing():
            return
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse("431 Request Header Fields Too Large", "The request's head is too long.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = True
        if self._timer is None:
            self._wait(HEAD_SECONDS, *LATE)

    def on_headers_complete(self) -> None:
        """Its head is there; now its body has time."""
        self._in_head, self._head_bytes = False, 0
        self._stop_waiting()
        self._wait(BODY_SECONDS, *LATE)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand over to the websocket, which has a bound of its own."""
        self._release()
        super().handle_websocket_upgrade()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, whether its last answer was read or not."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(FLUSH_SECONDS, self.transport.abort)

    def _wait(self, seconds: float, status: str, sentence: str) -> None:
        self._timer = self.loop.call_later(seconds, self._refuse, status, sentence)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, status: str, sentence: str) -> None:
        """Say why, and close; a connection that never said anything is closed without a word."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        pending = self.cycle is not None and not self.cycle.response_complete
        if pending and self._in_head and status.startswith("408"):
            # The next request is slow, but the one before it is still being answered.
            self._wait(HEAD_SECONDS, status, sentence)
            return
        said = self._head_bytes or not self._in_head or status.startswith("429")
        if not (pending and self.cycle.response_started) and said:
            text = REFUSAL.format(status=status, length=len(sentence), sentence=sentence)
            self.transport.write(text.encode())
            self.transport.write_eof()
        # What still comes is read and dropped for a moment: closing at once would reset the connection, and
        # the answer with it.
        self._refused = True
        self.loop.call_later(LINGER_SECONDS, self.transport.close)
        self.loop.call_later(FLUSH_SECONDS, self.transport.abort)

    def _release(self) -> None:
        self._stop_waiting()
        if self._address:
            _open[self._address] -= 1
            if not _open[self._address]:
                del _open[self._address]
            self._address = ""


def server_options() -> dict[str, Any]:
    """What every server of the site is started with, embedded or in production."""
    return {
        "http": BoundedProtocol,
        "lifespan": "off",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        # Events are short, and compressing them once for every watcher costs more than it saves.
        "ws_per_message_deflate": False,
        # Pages only listen; the frames of remote bots have at most 64 KiB, which whoever reads them says.
        "ws_max_size": 80 << 10,
    }
