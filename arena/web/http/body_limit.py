"""Refuses requests with a body larger than anything the site accepts, before storing it.

Django's ASGI handler first writes the whole body to a temporary file, whatever its size, and looks at it
afterwards. :class:`BodyLimit` sits in front of it and lets no more than ``most`` bytes through;
:mod:`arena.web.http.requests` answers such a request.

A bot with a net may be larger. Only its upload may, only for somebody who presents a session or a token,
with a declared length, one from each address and :data:`LARGE_AT_ONCE` from all of them together. So what
strangers can make us keep is bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from arena.web.http.rate_limits import of_scope

if TYPE_CHECKING:
    from arena.web.http.requests import Message, Receive, Send

MOST_BYTES = 5 << 20
"""Above the largest upload of a bot (4 MiB) and what a form puts around it."""
MOST_LARGE_BYTES = 65 << 20
"""Above the largest upload of a bot with a net (64 MiB)."""
LARGE_AT_ONCE = 8
UPLOADS = re.compile(r"/bots/(new|[^/]+/upload)/|/api/v1/bots/([^/]+/versions/)?")
CREDENTIALS = frozenset({b"cookie", b"authorization"})
MOST_DRAINED = 64 << 20
"""How much of a body is read and dropped, because a browser shows an answer only when it could send all."""
MARK = "crapette.body_too_large"
"""In the scope of a request whose body is dropped: the most bytes that it might have had."""
BUSY = "crapette.large_bodies"
"""In its scope as well if it might have had them at another time."""


class BodyLimit:
    """An ASGI application around another, which sees no body and :data:`MARK` in place of one too large."""

    def __init__(self, application: Any, most: int = MOST_BYTES, drained: int = MOST_DRAINED) -> None:
        self.application = application
        self.most = most
        self.drained = drained
        self._large: set[str] = set()
        """The addresses that are sending a large body."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        size = _declared(scope)
        if size <= self.most or not _may_be_large(scope):
            await self.application(scope, _Limited(self, scope, receive, self.most, size), send)
            return
        if size > MOST_LARGE_BYTES:
            # It is refused and nothing of it is kept, so it takes no turn, and ends nobody else's.
            await self.application(scope, _Limited(self, scope, receive, MOST_LARGE_BYTES, size), send)
            return
        address = of_scope(scope)
        if address in self._large or len(self._large) >= LARGE_AT_ONCE:
            scope[BUSY] = True
            await self.application(scope, _Limited(self, scope, receive, 0, size), send)
            return
        self._large.add(address)
        try:
            await self.application(scope, _Limited(self, scope, receive, MOST_LARGE_BYTES, size), send)
        finally:
            self._large.discard(address)


class _Limited:
    """``receive`` of one request, counting."""

    def __init__(self, limit: BodyLimit, scope: Message, receive: Receive, most: int, declared: int) -> None:
        self.limit = limit
        self.scope = scope
        self.receive = receive
        self.most = most
        self.declared = declared
        self.seen = 0

    async def __call__(self) -> Message:
        """The next message; once the body is too large, an empty end of it."""
        if MARK in self.scope:
            return await self._disconnect()
        message = await self.receive()
        if message["type"] != "http.request":
            return message
        self.seen += len(message.get("body", b""))
        if max(self.seen, self.declared) <= self.most:
            return message
        self.scope[MARK] = self.most
        while message.get("more_body") and self.seen < self.limit.drained:
            message = await self.receive()
            if message["type"] != "http.request":
                return message
            self.seen += len(message.get("body", b""))
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _disconnect(self) -> Message:
        """Drop what is still coming while the answer goes out; what the application waits for is the end."""
        while True:
            message = await self.receive()
            if message["type"] != "http.request":
                return message


def _declared(scope: Message) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


def _may_be_large(scope: Message) -> bool:
    """Whether this is somebody's upload of a bot."""
    if scope["method"] != "POST" or not UPLOADS.fullmatch(scope["path"]):
        return False
    return any(name in CREDENTIALS for name, _ in scope["headers"])
