"""Looks at the open connections of remote bots, and ends those that may no longer be."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from arena.web import limits
from bots.models import RemotePresence, Token
from bots.remote import connections
from bots.remote.admission import Parting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.remote.socket import Connection

logger = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the tokens and bots of open connections are looked at."""
KEPT_EVERY: Final = 30
"""After so many looks the bots are seen."""


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
        looks = 0
        while self._open:
            await asyncio.sleep(LOOK_S)
            looks += 1
            found = list(self._open)
            try:
                wrong = await database_sync_to_async(_wrong)(found, seen=looks % KEPT_EVERY == 0)
            except Exception as error:  # the database is away: whoever is connected stays
                logger.warning("connections of remote bots were not looked at: %s", error)
                continue
            for connection, refused in wrong.items():
                connection.end(refused)
            for connection in found:
                await connection.forget()


def _wrong(found: Iterable[Connection], *, seen: bool) -> dict[Connection, Parting]:
    """The connections that must end, and why; `seen` notes that the others are there."""
    now = timezone.now()
    found = list(found)
    ends: dict[Connection, Parting] = {}
    good = set(
        Token.objects.filter(
            Q(expires_at=None) | Q(expires_at__gt=now),
            pk__in={one.token.pk for one in found},
            revoked_at=None,
            owner__is_active=True,
        ).values_list("pk", flat=True)
    )
    ours = RemotePresence.objects.filter(
        connection__in=[one.key for one in found], online_since__isnull=False
    )
    playing = set(
        ours.filter(bot__withdrawn_at=None, bot__versions__benched_at=None).values_list(
            "connection", flat=True
        )
    )
    off = not settings.REMOTE or limits.value("remote_connections") == 0
    for one in found:
        if off:
            ends[one] = Parting("off", "Remote bots are switched off on this site.")
        elif one.token.pk not in good:
            ends[one] = Parting("token", "This token was revoked, has expired, or its account is closed.")
        elif one.key not in playing:
            ends[one] = Parting("withdrawn", "This bot was withdrawn, set offline, or connected elsewhere.")
        elif seen and not connections.keep(one.bot, one.key, one.token.owner_id, one.take_traffic()):
            ends[one] = Parting("withdrawn", "This bot is no longer yours.")
    return ends


_guards: dict[asyncio.AbstractEventLoop, Guard] = {}


def guard() -> Guard:
    """The guard of the running loop."""
    loop = asyncio.get_running_loop()
    for one in [one for one in _guards if one.is_closed()]:
        del _guards[one]
    return _guards.setdefault(loop, Guard())
