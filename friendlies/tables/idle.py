"""Takes care of stalled games: bots that were not asked, clocks that ran out, players who left."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib.sessions.models import Session
from django.db.models import Q

from arena.web.database import database_clock
from arena.web.worker_messages import send
from friendlies.games.turns import BOTS_TURN, Awaits
from friendlies.models import Friendly
from friendlies.tables.bot_turns import LEASE
from friendlies.tables.store import ANSWER, load, save
from friendlies.tables.turn_actions import expire
from referee.endings import Termination

if TYPE_CHECKING:
    from datetime import datetime

OWNER_IDLE = timedelta(days=14)
GUEST_IDLE = timedelta(hours=3)
GUEST_DEAL_KEPT = timedelta(days=30)
"""A guest's game of a daily deal outlives the session that knows it, and then goes."""
MOST = 200


def take_up(*, alone: bool) -> int:
    """After a start without other processes, release all bots being asked; return how many are awaited."""
    if alone:
        _forget_leases()
    return _nudge()


def _forget_leases() -> None:
    Friendly.objects.filter(status=Friendly.Status.RUNNING).exclude(lease_until=None).update(lease_until=None)


def sweep() -> None:
    """Repeat lost requests, and end games that are over."""
    _nudge()
    now = database_clock.now()
    running = Friendly.objects.filter(status=Friendly.Status.RUNNING)
    for row in running.filter(awaits=Awaits.PERSON, clock_from__lt=now).exclude(bank_ms=None)[:MOST]:
        expire(row)
    gone = Q(owner=None, acted_at__lt=now - GUEST_IDLE) | Q(acted_at__lt=now - OWNER_IDLE)
    for row in running.filter(gone, awaits__in=(Awaits.PERSON, Awaits.WINDOW))[:MOST]:
        table = load(row)
        table.forfeit(row.seat, Termination.SILENCE, "The person did not come back.")
        save(row, table)
    _forget_guests(now)


def _forget_guests(now: datetime) -> None:
    """Delete guests' games of daily deals that nobody can reach any more, and sessions that are over."""
    old = Friendly.objects.filter(
        owner=None,
        daily__isnull=False,
        status=Friendly.Status.FINISHED,
        finished_at__lt=now - GUEST_DEAL_KEPT,
    )
    Friendly.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:MOST])).delete()
    over = Session.objects.filter(expire_date__lt=now)
    Session.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:MOST])).delete()


def _nudge() -> int:
    """Ask for the answers of bots that are awaited and that nobody asks."""
    now = database_clock.now()
    free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
    waiting = Friendly.objects.filter(free, status=Friendly.Status.RUNNING, awaits__in=BOTS_TURN)
    keys = list(waiting.values_list("pk", flat=True)[:MOST])
    for key in keys:
        send(ANSWER, str(key))
    return len(keys)
