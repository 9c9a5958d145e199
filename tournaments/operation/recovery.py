"""Picks up unfinished work: at start, after the broker was lost, and every few seconds.

The database says what has to be done. These functions compare that with what is being done, and request the
rest again. Requesting something twice does no harm.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import F, Q

from arena.web.database import database_clock
from arena.web.models import Host, Worker
from arena.web.processes.capacity import games_at_once
from arena.web.worker_messages import send
from bots.check_queue import versions_to_check
from bots.checks import CHECK_TASK, CHECK_UNKNOWN_TASK, release_all_checks
from bots.models import Status as VersionStatus
from bots.models import Version
from tournaments.events.withdrawals import leave_absent, leave_events
from tournaments.game_messages import ADVANCE, COMPARE, RATE, wake_players
from tournaments.games.attempts import end_attempt
from tournaments.games.claims import LEASE
from tournaments.models import Attempt, Game, RatingState, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.ratings.ladder import tend_open_boards
from tournaments.ratings.leaderboards import asleep
from tournaments.ratings.twin_search import forget_claims, left_waiting

if TYPE_CHECKING:
    from django.db.models import QuerySet

MOST_MESSAGES = 200
CHECK_OVERDUE = timedelta(seconds=60)


@seeing_hidden()
def recover(*, alone: bool = False) -> dict[str, int]:
    """Take up queued and interrupted work after a start, or after the broker may have lost every message;
    how many attempts, games and checks were found.

    `alone` says that no other process works for this database (the embedded run), so that every attempt
    that seems to be running, and every check, died with its process. Otherwise only expired leases are
    taken back.
    """
    if alone:
        released = sum(
            end_attempt(attempt, Attempt.Cause.RESTARTED, "the site was started again")
            for attempt in _running()
        )
        release_all_checks()
        forget_claims()
        Worker.objects.all().delete()
        # This machine under another name, perhaps: it must not become the reference for itself.
        Host.objects.exclude(name=settings.HOST_NAME).delete()
    else:
        released = _take_back_expired()
    leave_events()
    RatingState.objects.update(scheduled_at=None)
    asked = Q(status=VersionStatus.UPLOADED) | Q(trial_asked_at__isnull=False)
    checks = list(Version.objects.filter(asked).values_list("pk", flat=True))
    for key in checks:
        send(CHECK_TASK, key)
    send(CHECK_UNKNOWN_TASK)
    send(COMPARE)
    waiting = _waiting().count()
    wake_players(waiting)
    _send_ratings()
    for key in Tournament.objects.filter(status=Tournament.Status.RUNNING).values_list("pk", flat=True):
        send(ADVANCE, key)
    return {"attempts": released, "games": waiting, "checks": len(checks)}


@seeing_hidden()
def sweep() -> None:
    """Take back expired leases, have bots leave that no longer play, and repeat requests that got lost."""
    _take_back_expired()
    leave_events()
    leave_absent()
    tend_open_boards()
    _forget_other_clocks()
    running = _running().count()
    wake_players(min(_waiting().count(), games_at_once() - running))
    _send_ratings()
    _advance_idle()
    now = database_clock.now()
    overdue = versions_to_check(now).filter(created_at__lt=now - CHECK_OVERDUE)
    for key in overdue.values_list("pk", flat=True)[:MOST_MESSAGES]:
        send(CHECK_TASK, key)
    if left_waiting():
        send(COMPARE)


def _take_back_expired() -> int:
    """Let others play the games of workers that are not heard of any more, and return how many there were."""
    return sum(
        end_attempt(
            attempt, Attempt.Cause.LEASE_EXPIRED, f"no heartbeat since {attempt.heartbeat_at:%H:%M:%S}"
        )
        for attempt in _expired()
    )


def _forget_other_clocks() -> None:
    """Let nothing wait for a moment further ahead than anything is ever put off: the clock was set back."""
    ahead = database_clock.now() + 2 * LEASE
    Game.objects.filter(status=Game.Status.QUEUED, not_before__gt=ahead).update(not_before=None)
    RatingState.objects.filter(scheduled_at__gt=ahead).update(scheduled_at=None)
    Tournament.objects.filter(served_at__gt=ahead).update(served_at=None)


def _running() -> QuerySet[Attempt]:
    return Attempt.objects.filter(ended_at=None).select_related("game__tournament")


def _expired() -> QuerySet[Attempt]:
    """Return attempts whose lease expired, or ends later than possible because the clock was set back."""
    now = database_clock.now()
    return _running().filter(Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE))


def _waiting() -> QuerySet[Game]:
    """Return the games that could be played now."""
    now = database_clock.now()
    return Game.objects.filter(
        Q(not_before=None) | Q(not_before__lte=now),
        status=Game.Status.QUEUED,
        tournament__status=Tournament.Status.RUNNING,
    )


def _send_ratings() -> None:
    """Request ratings that are out of date and not being computed."""
    behind = RatingState.objects.filter(computed__lt=F("requested"))
    overdue = Q(scheduled_at=None) | Q(scheduled_at__lt=database_clock.now() - CHECK_OVERDUE)
    for variant in behind.filter(overdue).values_list("variant", flat=True):
        send(RATE, variant)


def _advance_idle() -> None:
    """Advance running tournaments in which no game waits or runs, but not ladders that sleep."""
    alive = Q(games__status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    idle = Tournament.objects.filter(status=Tournament.Status.RUNNING).exclude(alive).exclude(asleep())
    idle = idle.exclude(hidden_results__revealed_at=None, hidden_results__played_at__isnull=False)
    for key in idle.values_list("pk", flat=True):
        send(ADVANCE, key)
