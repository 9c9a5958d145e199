"""Who may connect for a remote bot and how much may be said; and which open connections must end."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from channels.db import database_sync_to_async
from django.conf import settings
from django.db.models import Q

from arena.accounts.models import User
from arena.web import limits
from arena.web.cache import versions
from arena.web.database import database_clock
from arena.web.http import rate_limits
from arena.web.http.refusals import refusal
from bots.errors import TokenRefused
from bots.models import Bot, RemotePresence, Scope, Token, Version
from bots.remote import connections
from bots.remote.connections import RemoteWish
from bots.tokens import authenticate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from arena.web.http.requests import Message as Asgi
    from arena.web.http.requests import Send
    from bots.remote.bus import Message
    from bots.remote.socket import Connection

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
logger = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the tokens and bots of open connections are looked at."""
KEPT_EVERY: Final = 30
"""In so many looks each bot is seen once: all in one look would hold up every line."""
READ: Final = tuple(model._meta.db_table for model in (Token, User, Bot, Version, RemotePresence))
"""The tables that say whether a connection may stay."""


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


class Guard:
    """Looks at all connections of this process: may their tokens and bots still be there?"""

    def __init__(self) -> None:
        self._open: set[Connection] = set()
        self._task: asyncio.Task[None] | None = None

    def enter(self, connection: Connection) -> None:
        """Look at one more."""
        self._open.add(connection)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())

    def leave(self, connection: Connection) -> None:
        """Look at one less."""
        self._open.discard(connection)

    async def _look(self) -> None:
        turn, stamp = 0, -1
        known: frozenset[Connection] = frozenset()
        while self._open:
            await asyncio.sleep(LOOK_S)
            turn = (turn + 1) % KEPT_EVERY
            found = frozenset(self._open)
            due = [one for one in found if hash(one.key) % KEPT_EVERY == turn]
            try:
                now = await database_sync_to_async(_stamp)()
                doubted = found if now != stamp else found - known
                wrong = await database_sync_to_async(_wrong)(found, doubted, due)
            except Exception as error:  # the database is away: whoever is connected stays
                logger.warning("connections of remote bots were not looked at: %s", error)
                continue
            stamp, known = now, found
            for connection, refused in wrong.items():
                connection.end(refused)
            for connection in found:
                connection.tend()


def _stamp() -> int:
    """A number that is the same only while no token, account or bot has changed."""
    return versions.total(READ, versions.read())


def _wrong(
    found: Iterable[Connection], doubted: Collection[Connection], due: Iterable[Connection]
) -> dict[Connection, Parting]:
    """The connections that must end, and why. Those that are `doubted` are asked for in the database; that
    the bots of those that are `due` are there is noted."""
    now = database_clock.now()
    if not connections.may_connect():
        return dict.fromkeys(found, Parting("off", "Remote bots are switched off on this site."))
    lost = {
        one for one in due if not connections.keep(one.bot, one.key, one.token.owner_id, one.take_traffic())
    }
    asked = {*doubted, *lost}
    good, speaking = _allowed(asked) if asked else (set(), {})
    ends: dict[Connection, Parting] = {}
    for one in found:
        expired = one.token.expires_at is not None and one.token.expires_at <= now
        if expired or (one in asked and one.token.pk not in good):
            ends[one] = Parting("token", "This token was revoked, has expired, or its account is closed.")
        elif one not in asked or (one not in lost and speaking.get(one.bot) == one.key):
            continue
        elif one.bot not in speaking:
            ends[one] = Parting("withdrawn", "This bot was withdrawn or set offline.")
        elif speaking[one.bot] not in {one.key, ""}:
            ends[one] = Parting("replaced", "Another connection of this bot has taken its place.")
        elif not Bot.objects.of_account(one.token.owner_id).filter(pk=one.bot).exists():
            ends[one] = Parting("withdrawn", "This bot is no longer yours.")
        else:  # it was not kept for too long: the database was away, or this process stood still
            ends[one] = Parting("restarting", "The site has lost this connection. Connect again.")
    return ends


def _allowed(asked: Iterable[Connection]) -> tuple[set[int], dict[int, str]]:
    """The keys of the tokens of connections that may speak; and of their bots that may play, the key of the
    connection that speaks for each."""
    tokens = Token.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=database_clock.now()),
        pk__in={one.token.pk for one in asked},
        revoked_at=None,
        owner__is_active=True,
    )
    here = RemotePresence.objects.filter(
        bot__in={one.bot for one in asked}, bot__withdrawn_at=None, bot__versions__benched_at=None
    )
    return set(tokens.values_list("pk", flat=True)), dict(here.values_list("bot", "connection"))


_guards: dict[asyncio.AbstractEventLoop, Guard] = {}


def guard() -> Guard:
    """The guard of the running loop."""
    loop = asyncio.get_running_loop()
    for one in [one for one in _guards if one.is_closed()]:
        del _guards[one]
    return _guards.setdefault(loop, Guard())
