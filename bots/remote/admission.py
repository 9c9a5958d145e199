"""Who may connect for a remote bot, and how much may be said on a connection."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings

from arena.web import limits
from arena.web.http import rate_limits
from arena.web.http.refusals import refusal
from bots.errors import TokenRefused
from bots.models import Scope
from bots.remote.connections import RemoteWish
from bots.tokens import authenticate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.web.http.requests import Message as Asgi
    from arena.web.http.requests import Send
    from bots.models import Token
    from bots.remote.bus import Message

SCHEME: Final = b"Bearer "
WRONG_TOKENS_A_MINUTE: Final = 20
FRAMES_A_SECOND: Final = 200
BURST_S: Final = 10
"""Frames and bytes of that long may come at once."""
WIRE: Final = 1
FRAME_BYTES: Final = 64 << 10
MOST_HELD: Final = 32

CLOSE_CODES: Final = {
    "bad-hello": 4400,
    "bad-message": 4400,
    "token": 4401,
    "unknown-bot": 4404,
    "unknown-board": 4400,
    "not-remote": 4403,
    "withdrawn": 4403,
    "benched": 4403,
    "left": 4403,
    "account": 4403,
    "no-hello": 4408,
    "replaced": 4409,
    "too-large": 4413,
    "limit": 4429,
    "too-fast": 4429,
    "too-slow": 4503,
    "restarting": 4503,
    "off": 4503,
}
ANY_REFUSAL: Final = 4403


class Parting(Exception):
    """The connection ends; ``code`` for programs, and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(slots=True)
class Bucket:
    """An allowance that fills at ``rate`` a second, up to `BURST_S` seconds' worth."""

    rate: float
    _level: float = 0.0
    _at: float = 0.0

    def take(self, amount: float) -> bool:
        """Take this much; False if there is not enough."""
        now = time.monotonic()
        most = self.rate * BURST_S
        self._level = min(most, self._level + (now - self._at) * self.rate) if self._at else most
        self._at = now
        self._level -= amount
        return self._level >= 0


def parse_hello(hello: Message) -> tuple[RemoteWish, list[str]]:
    """What a hello wishes, and which sittings it holds. Raises Parting."""
    boards, games, holding = hello.get("boards", []), hello.get("games", 1), hello.get("holding", [])
    if not isinstance(boards, list) or not all(isinstance(one, str) for one in boards):
        raise Parting("bad-hello", 'Expected "boards" to be a list of strings.')
    if type(games) is not int or not 1 <= games <= 16:
        raise Parting("bad-hello", f'Expected "games" to be a number from 1 to 16, got {str(games)[:40]!r}.')
    held = [one.get("game") for one in holding if isinstance(one, dict)] if isinstance(holding, list) else []
    names = [one for one in held if isinstance(one, str)]
    if not isinstance(holding, list) or len(names) != len(holding) or len(names) > MOST_HELD:
        raise Parting("bad-hello", f'Expected "holding" to be a list of at most {MOST_HELD} games.')
    wish = RemoteWish(tuple(boards[:100]), games, hello.get("people") is True)
    return wish, names


class HandshakeRefused(Exception):
    """The connection is not opened; ``answer`` is what the API would answer."""

    def __init__(self, status: int, code: str, sentence: str, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.answer = refusal(code, sentence, status, retry_after=retry_after)

    async def send(self, scope: Asgi, send: Send) -> None:
        """Answer the handshake, or close it where the server cannot do that."""
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close"})
            return
        headers = [(name.lower().encode(), value.encode()) for name, value in self.answer.items()]
        start = {"type": "websocket.http.response.start", "status": self.answer.status_code}
        await send({**start, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": self.answer.content})


class Admitted(NamedTuple):
    """A token that may connect, and how many bytes a second may come."""

    token: Token
    bytes_a_second: float


def admit(address: str, headers: Iterable[tuple[bytes, bytes]]) -> Admitted:
    """Let a handshake in. Raises HandshakeRefused."""
    if not settings.REMOTE:
        raise HandshakeRefused(503, "off", "Remote bots are switched off on this site.")
    most = limits.value("remote_connects_per_minute")
    used, resets_in = rate_limits.spend(f"remote:connect:{address}", 60)
    if used > most:
        sentence = f"Your address connected more than {most} times in a minute. Try again in {resets_in}."
        raise HandshakeRefused(429, "too-fast", sentence, resets_in)
    given = [value for name, value in headers if name == b"authorization"]
    try:
        if len(given) != 1 or not given[0].startswith(SCHEME):
            raise TokenRefused("Expected the header 'Authorization: Bearer <token>', got none.")
        token = authenticate(given[0].removeprefix(SCHEME).decode("latin-1").strip())
    except TokenRefused as refused:
        used, resets_in = rate_limits.spend(
            f"api:token:{address}", 60
        )  # as for the API, and together with it
        if used > WRONG_TOKENS_A_MINUTE:
            sentence = f"Your address tried too many tokens. Try again in {resets_in}."
            raise HandshakeRefused(429, "too-fast", sentence, resets_in) from refused
        raise HandshakeRefused(401, "token", str(refused)) from refused
    if not token.allows(Scope.REMOTE):
        raise HandshakeRefused(403, "scope", f"This needs a token with the scope {str(Scope.REMOTE)!r}.")
    return Admitted(token, limits.value("remote_kb_per_minute") * 1024 / 60)
