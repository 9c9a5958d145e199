"""The door of the websockets: who may come in, and how many from one address."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from arena.web.http.rate_limits import of_scope

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.web.http.requests import Message, Receive, Send


class Door:
    """An ASGI application around another: only pages of this site open websockets, `most` an address.

    The paths `for_programs` ask for a token that no browser sends by itself, so they need no such page; but a
    page of another site has no business there either.
    """

    def __init__(
        self, application: Any, most: int | None = None, for_programs: Collection[str] = frozenset()
    ) -> None:
        self.application = application
        self.for_programs = for_programs
        self.most = settings.SOCKETS_PER_ADDRESS if most is None else most
        self.inside: Counter[str] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one websocket, or refuse it."""
        if not _is_ours(scope) and (scope["path"] not in self.for_programs or _has_origin(scope)):
            await _refuse(scope, receive, send, 403, "Only pages of this site may open this websocket.")
            return
        address = of_scope(scope)
        if self.inside[address] >= self.most:
            sentence = f"Your address already has {self.most} open websockets. Close some of them first."
            await _refuse(scope, receive, send, 429, sentence)
            return
        self.inside[address] += 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.inside[address] -= 1
            if not self.inside[address]:
                del self.inside[address]


def _has_origin(scope: Message) -> bool:
    return any(name == b"origin" for name, _ in scope["headers"])


def _is_ours(scope: Message) -> bool:
    """Whether a page of one of our hosts asks. Browsers say so in the header Origin."""
    origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
    if len(origins) != 1:
        return False
    try:
        host = urlsplit(origins[0]).hostname
    except ValueError:
        return False
    # The names of ALLOWED_HOSTS keep the brackets of an IPv6 address, hostname drops them.
    return bool(host) and validate_host(
        f"[{host}]" if ":" in str(host) else str(host), settings.ALLOWED_HOSTS
    )


async def _refuse(scope: Message, receive: Receive, send: Send, status: int, sentence: str) -> None:
    """Answer the handshake with a status and a sentence, or close it where the server cannot do that."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": sentence.encode()})
