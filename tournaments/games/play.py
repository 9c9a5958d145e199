"""Playing the next game: claim, play, deliver, or give back with the cause."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.db.models import UUIDField

from analysis.errors import ResultRefused, StaleAttempt
from arena.web.database.db_retry import AWAY, drop_broken_connection, until_answered
from arena.web.database.prepared_sql import Param, PreparedQuery
from arena.web.processes import shutdown
from arena.web.processes.alarms import clear_alarm, is_recent, raise_alarm, sandbox_alarm_lately
from arena.web.processes.capacity import field
from arena.web.processes.logs import following
from bots.errors import BotAway, Interrupted, Unplayable
from bots.playing.game_process import DeliveredGame, play
from referee.job import ClockRule
from tournaments.games import void_limits
from tournaments.games.claims import Kind, Lease, claim_next, release, renew, without_files
from tournaments.games.remote import ending_frames, remote_table
from tournaments.games.results import accept_result
from tournaments.models import Alarm, Attempt, Seat
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from referee.messages import RecordEvent
    from tournaments.games.remote import Stored
    from tournaments.models import Result

Row = TypeVar("Row")
logger = logging.getLogger(__name__)


def worker_name() -> str:
    """Who plays: host, process and thread."""
    return f"{settings.HOST_NAME}:{os.getpid()}:{threading.get_ident()}"


def directly(do: Callable[[], Row]) -> Row:
    """Ask the database in this thread."""
    return do()


def play_next(
    worker: str | None = None,
    claimed: Callable[[], None] | None = None,
    kind: Kind = Kind.LOCAL,
    stored: Stored = directly,
) -> bool:
    """Claim and play one game; False if none waits or none can be played here now.

    `claimed` is called between the two. Whatever asks the database is called through `stored`.
    """
    if shutdown.draining() or settings.HOST_NAME in field().set_aside:
        return False
    alarm = stored(sandbox_alarm_lately)
    if alarm is not None and is_recent(alarm):
        return False
    lease = stored(partial(claim_next, worker or worker_name(), settings.HOST_NAME, kind))
    if lease is None:
        return False
    if claimed is not None:
        claimed()
    with following(game=lease.game, attempt=lease.token):
        logger.debug("claimed")
        played = play_attempt(lease, stored)
        logger.debug("ended: %s", played)
    if played is not None and alarm is not None:
        stored(partial(clear_alarm, Alarm.Kind.SANDBOX, ""))
    return True


@seeing_hidden()
def play_attempt(lease: Lease, stored: Stored = directly) -> Result | None:
    """Play the leased game and deliver its result; None if the attempt was lost or the machine failed."""
    game = stored(lease.game_row)
    tournament = game.tournament
    versions = [seat.version for seat in stored(partial(_seats.rows, game=game.pk))]
    table = remote_table(game, versions, stored)
    clock = scale_clock(ClockRule(tournament.bank_ms, tournament.increment_ms), lease.clock_scale)

    unsure = False

    def news(ply: int, batch: list[RecordEvent]) -> bool:
        nonlocal unsure
        try:
            stored(partial(renew, lease, ply, batch, again=unsure))
        except AWAY as error:
            # The game goes on. If the lease runs out meanwhile, the token decides what its result is worth.
            logger.warning("no answer to a game's news: %s", error)
            drop_broken_connection()
            unsure = True
            return False
        unsure = False
        return True

    try:
        doubted = stored(partial(void_limits.doubted_seats, versions))
        delivery = play(game.start, tournament.variant, versions, clock, news, doubted=doubted, table=table)
        result = stored(partial(deliver, lease, delivery))
        if table is not None:
            table.over(ending_frames(game, versions, result))
            table = None
    except StaleAttempt as error:
        logger.warning("a game was taken away: %s", error)
        return None
    except ResultRefused as error:
        logger.error("a result was refused: %s", error)
        return None
    except Unplayable as error:
        stored(partial(give_back, lease, error))
        return None
    finally:
        if table is not None:
            table.over({})
    return result


@PreparedQuery
@seeing_hidden()
def _seats() -> QuerySet[Seat]:
    seats = Seat.objects.filter(game=Param("game", UUIDField()))
    return seats.select_related("version__bot").order_by("seat")


def scale_clock(rule: ClockRule, scale: float) -> ClockRule:
    """The clock on a host where CPU time is worth this much less than on the reference."""
    if scale == 1:
        return rule
    return replace(rule, bank_ms=round(rule.bank_ms * scale), increment_ms=round(rule.increment_ms * scale))


def deliver(lease: Lease, delivery: DeliveredGame) -> Result:
    """Deliver, and again if the database did not answer: it knows whether it took the first."""
    return until_answered(lambda: accept_result(lease, delivery), "a result")


def give_back(lease: Lease, error: Unplayable) -> None:
    """Put the game back in the queue; a missing sandbox is not counted against it, but raises an alarm."""
    if isinstance(error, Interrupted):
        cause = Attempt.Cause.RESTARTED
    elif isinstance(error, BotAway):
        cause = Attempt.Cause.BOT_AWAY
    else:
        logger.warning("game %s could not be played: %s", lease.game, error)
        if error.sandbox_down:
            until_answered(lambda: raise_alarm(Alarm.Kind.SANDBOX, "", str(error)), "an alarm")
            cause = Attempt.Cause.SANDBOX
        else:
            cause = Attempt.Cause.PLAYER_DIED if error.died else Attempt.Cause.INFRASTRUCTURE
            with seeing_hidden():
                if without_files(lease.game).exists():
                    cause = Attempt.Cause.CANCELLED  # its owner left a moment ago: no machine is to blame
    seat = error.seat
    until_answered(lambda: release(lease, cause, str(error), seat), "a game given back")
    if seat is not None:
        until_answered(lambda: void_limits.look_at(lease.game, seat, str(error)), "an alarm")
