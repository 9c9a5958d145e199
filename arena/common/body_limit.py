"""Refuses requests with a body larger than anything the site accepts, before storing it.

Django's ASGI handler first writes the whole body to a temporary file, whatever its size, and looks at it
afterwards. :class:`BodyLimit` sits in front of it and lets no more than ``most`` bytes through;
:mod:`arena.common.edge` answers such a request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.common.asgi import Message, Receive, Send

MOST_BYTES = 5 << 20
"""Above the largest upload of a bot (4 MiB) and what a form puts around it."""
MOST_DRAINED = 64 << 20
"""How much of a body is read and dropped, because a browser shows an answer only when it could send all."""
MARK = "crapette.body_too_large"


class BodyLimit:
    """An ASGI application around another, which sees no body and :data:`MARK` in place of one too large."""

    def __init__(self, application: Any, most: int = MOST_BYTES, drained: int = MOST_DRAINED) -> None:
        self.application = application
        self.most = most
        self.drained = drained

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http":
            receive = _Limited(self, scope, receive)
        await self.application(scope, receive, send)


class _Limited:
    """``receive`` of one request, counting."""

    def __init__(self, limit: BodyLimit, scope: Message, receive: Receive) -> None:
        self.limit = limit
        self.scope = scope
        self.receive = receive
        self.seen = 0

    async def __call__(self) -> Message:
        """The next message; once the body is too large, an empty end of it."""
        if MARK in self.scope:
            return await self._disconnect()
        message = await self.receive()
        if message["type"] != "http.request":
            return message
        self.seen += len(message.get("body", b""))
        if max(self.seen, self._declared()) <= self.limit.most:
            return message
        self.scope[MARK] = True
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

    def _declared(self) -> int:
        for name, value in self.scope["headers"]:
            if name == b"content-length":
                return int(value) if value.isdigit() else 0
        return 0
