"""The bot's side of a person's game: claims the game, asks the bot, and carries out its answer.

A claim is a lease in the game's own row, which is renewed while the bot thinks. The bot's answer counts only
if the row is still the one that was read; otherwise the game went on without it (for example because the
person resigned). In a game with ticks, the person answers at the same time, so the answer counts as long as
the tick is open.
"""

from __future__ import annotations

import logging
import secrets
import time
from datetime import timedelta
from operator import methodcaller
from typing import TYPE_CHECKING

from django.db import DatabaseError, InterfaceError
from django.db.models import Q

import sandbox
from arena.web.database import database_clock
from arena.web.processes import shutdown
from bots.errors import FilesMissing
from bots.models import Version, program_gone
from bots.remote.connections import GONE_AFTER
from friendlies.games.turns import BOTS_TURN, Awaits
from friendlies.models import Friendly
from friendlies.opponent.engagement import Fault
from friendlies.opponent.process import BotQuestion
from friendlies.tables.remote_places import has_left, place_until
from friendlies.tables.store import AnyTable, load, publish_friendly, save
from friendlies.tables.waiting_bots import WAITING, Engagements, ending
from referee.endings import Termination
from referee.errors import Infrastructure
from referee.judgement import Unforeseen

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    Change = Callable[[AnyTable], None]

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
RENEW_SECONDS = 5.0
RETRY = timedelta(seconds=15)
"""How long a game rests if a failure of the machine kept its bot from being asked."""
OWNER_GONE = "The bot is gone: its owner deleted the account."
TRIES = 5
"""How often the person may change a game with ticks while the bot's answer is being written."""


class AnswerLost(Exception):
    """The game went on without the bot's answer, or this process is about to end."""


def answer(game: UUID | str, opponents: Engagements = WAITING) -> bool:
    """Ask the bot of a game if it is awaited and nobody else asks it; return whether the game advanced."""
    if shutdown.is_announced():
        return False
    row = _claim(game)
    if row is None:
        return False
    table = load(row)
    tick = table.open_tick
    try:
        change = _ask(row, table, opponents)
    except Fault as fault:
        change = _forfeit(1 - row.seat, fault)
        change(table)
    except AnswerLost:
        Friendly.objects.filter(pk=row.pk, lease=row.lease).update(place_until=None)
        return False
    except (Infrastructure, sandbox.SandboxUnavailable, FilesMissing, OSError) as error:
        if (gone := _gone(row)) is not None:
            change = _forfeit(1 - row.seat, gone)
            change(table)
            return _write(row, table, change, tick)
        logger.warning("the bot of friendly %s could not be asked: %s", row.pk, error)
        _rest(row, str(error))
        return False
    except (DatabaseError, InterfaceError):
        raise
    except Exception as error:
        # Nobody foresaw it, and it would come again with the same answer.
        logger.exception("the bot of friendly %s", row.pk)
        seat, done = 1 - row.seat, Unforeseen(error)
        change = _forfeit(seat, Fault(done.termination, f"Seat {seat} {done.detail}."))
        table = load(row)
        change(table)
    return _write(row, table, change, tick)


def _write(row: Friendly, table: AnyTable, change: Change, tick: int | None) -> bool:
    """Write down what was carried out; in a game in ticks again if the person was first, as long as the tick
    that was asked about is open. Return whether it counted."""
    lease = row.lease
    for _ in range(TRIES):
        kept = place_until() if row.version.is_remote and table.result is None else None
        if save(row, table, lease="", lease_until=None, trouble="", place_until=kept):
            return True
        if tick is None:
            return False
        row = Friendly.objects.select_related("version__bot").get(pk=row.pk)
        table = load(row)
        if row.is_over or row.lease != lease or table.open_tick != tick:
            return False
        change(table)
    return False


def _gone(row: Friendly) -> Fault | None:
    """Why a bot that could not be asked will never be, if so."""
    if Version.objects.filter(program_gone(), pk=row.version_id).exists():
        return Fault(Termination.RESIGNATION, OWNER_GONE)
    if row.version.is_remote and has_left(row):
        seconds = round(GONE_AFTER.total_seconds())
        detail = f"Seat {1 - row.seat} was disconnected for more than {seconds} seconds."
        return Fault(Termination.DISCONNECTED, detail)
    return None


def _forfeit(seat: int, fault: Fault) -> Change:
    """End a game that its bot forfeited."""
    termination, detail = Termination(fault.termination), fault.detail
    return lambda table: table.forfeit(seat, termination, detail)


def _claim(game: UUID | str) -> Friendly | None:
    """Lease the game, or None if the bot is not awaited or somebody asks it."""
    now = database_clock.now()
    # A lease longer than possible was made when the clock was ahead.
    free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    token = secrets.token_hex(8)
    if not Friendly.objects.filter(free, pk=game, awaits__in=BOTS_TURN).update(
        lease=token, lease_until=now + LEASE
    ):
        return None
    row = Friendly.objects.select_related("version__bot").get(pk=game)
    return row if row.lease == token and row.bot_is_awaited else None


def _ask(row: Friendly, table: AnyTable, opponents: Engagements) -> Change:
    """Put what the game awaits to the bot, and carry the answer out; return how that is done. Raises Lost,
    Fault and the machine's faults."""
    beat = _Beat(row)
    known = len(table.plain_events())
    engagement = opponents.take(row, known, beat)
    try:
        table.polls = engagement.stops
        if table.awaits is Awaits.POLL and not engagement.stops:
            said = {"ms": 0, "stop": False}
        else:
            question = BotQuestion(**table.question(engagement.told))
            said = engagement.ask(question, known, beat)
        change = methodcaller("bot_answers", said)
        change(table)
    except BaseException:
        engagement.end()
        raise
    if table.result is None:
        opponents.keep(row, engagement)
    else:
        engagement.end(ending(row.seat, table.result.as_dict()))
    return change


class _Beat:
    """Renews the lease while the bot thinks. Raises Lost when the answer will not be wanted."""

    def __init__(self, row: Friendly) -> None:
        self._row = row
        self._renewed = time.monotonic()

    def __call__(self) -> None:
        if shutdown.is_announced():
            raise AnswerLost("the site is stopping")
        if time.monotonic() - self._renewed < RENEW_SECONDS:
            return
        row = self._row
        held = Friendly.objects.filter(pk=row.pk, lease=row.lease, status=Friendly.Status.RUNNING)
        if not row.in_ticks:
            held = held.filter(revision=row.revision)
        more = {"place_until": place_until()} if row.version.is_remote else {}
        if not held.update(lease_until=database_clock.now() + LEASE, **more):
            raise AnswerLost("the game went on")
        self._renewed = time.monotonic()


def _rest(row: Friendly, reason: str) -> None:
    """Schedule another try: neither the person nor the bot is at fault."""
    Friendly.objects.filter(pk=row.pk, lease=row.lease).update(
        lease_until=database_clock.now() + RETRY, trouble=reason[:300], place_until=None
    )
    publish_friendly(row.pk)
