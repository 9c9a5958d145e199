"""Looks at the open connections of remote bots, and ends those that may no longer be."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from channels.db import database_sync_to_async
from django.db.models import Q

from arena.accounts.models import User
from arena.web.cache import versions
from arena.web.database import db_time
from bots.models import Bot, RemotePresence, Token, Version
from bots.remote import connections
from bots.remote.admission import Parting

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bots.remote.socket import Connection

logger = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the tokens and bots of open connections are looked at."""
KEPT_EVERY: Final = 30
"""In so many looks each bot is seen once: all in one look would hold up every line."""
READ: Final = tuple(model._meta.db_table for model in (Token, User, Bot, Version, RemotePresence))
"""The tables that say whether a connection may stay."""


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
    now = db_time.now()
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
        Q(expires_at=None) | Q(expires_at__gt=db_time.now()),
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
