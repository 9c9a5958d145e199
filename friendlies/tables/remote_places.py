"""The places that people's games take of remote bots, which say how many games they play at once.

A place is taken when a person sits down and kept while the bot's program has the game, some minutes beyond
the last question. A person who comes back later takes one again.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction

from arena.web.database import database_clock
from bots.models import RemotePresence, Version
from bots.remote.connections import gone_before
from friendlies.models import Friendly
from tournaments.games.claims import bots_that_left, has_place
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from datetime import datetime

KEPT: Final = timedelta(minutes=6)
"""Longer than a program waits for the next question (`REST_SECONDS`), so that no other game comes while it
does."""


def place_until() -> datetime:
    """Until when a place is kept that is taken or used now."""
    return database_clock.now() + KEPT


@seeing_hidden()
def take_place(row: Friendly) -> bool:
    """Take one of the bot's places, or keep the one the game has; False if it is not online or has none."""
    with transaction.atomic():
        list(RemotePresence.objects.select_for_update().filter(bot=row.version.bot_id).values_list("pk"))
        now = database_clock.now()
        games = Friendly.objects.filter(pk=row.pk)
        found = Version.objects.online().filter(pk=row.version_id)
        if not games.filter(place_until__gt=now).exists():
            found = found.filter(has_place(now))
        return found.exists() and bool(games.update(place_until=place_until()))


def has_left(row: Friendly) -> bool:
    """Whether a remote bot has kept the person waiting for so long that it loses."""
    before = gone_before()
    ours = RemotePresence.objects.filter(bot=row.version.bot_id, online_since__lt=before)
    return bool(bots_that_left([row.version])) or (row.acted_at < before and ours.exists())
