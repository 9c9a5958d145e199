"""What becomes of a claim: it is renewed while its game goes on, or given up if that breaks off.

Results end it in `results`.
"""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Max, Q

from analysis.errors import StaleAttempt
from arena.web.database import database_clock, prepared_sql
from arena.web.processes.alarms import raise_alarm
from tournaments import live_updates as events
from tournaments.game_messages import play_on_commit
from tournaments.games.claims import LEASE, Lease, begin_again, without_files
from tournaments.models import Attempt, EventBatch, Game, Pair
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.messages import RecordEvent

RETRY_SECONDS = 5
MOST_FAILURES = 3
"""Attempts that the infrastructure may spoil before an operator must look."""

MOST_LOST = 10
"""Attempts that may end with their worker; each may have another reason, such as the site being stopped."""

FAILURES = (Attempt.Cause.INFRASTRUCTURE, Attempt.Cause.PLAYER_DIED)
PUT_OFF = (*FAILURES, Attempt.Cause.SANDBOX, Attempt.Cause.BOT_AWAY)
"""After these a game waits for `RETRY_SECONDS`."""


@seeing_hidden()
def renew(lease: Lease, ply: int, news: Sequence[RecordEvent] = (), *, again: bool = False) -> None:
    """Renew the lease with the ply reached, and store new events. They are broadcast after the commit.

    `again` means that the answer to the last call was lost, so some of the events may be stored already.
    Raises StaleAttempt if the lease was lost. Then nothing was stored, and the game must be stopped.
    """
    now = database_clock.now()
    with transaction.atomic():
        held = prepared_sql.update(
            Attempt,
            {"pk": lease.attempt, "token": lease.token, "ended_at": None},
            {"heartbeat_at": now, "lease_until": now + LEASE, "ply": ply},
        )
        if not held:
            raise StaleAttempt(
                f"expected attempt {lease.token} of game {lease.game} to be current, it is not"
            )
        if again:
            stored = EventBatch.objects.filter(attempt=lease.attempt).aggregate(last=Max("last_n"))["last"]
            news = [event for event in news if stored is None or event["n"] > stored]
        if news:
            batch = EventBatch(
                game_id=lease.game,
                attempt_id=lease.attempt,
                first_n=news[0]["n"],
                last_n=news[-1]["n"],
                data=json.dumps(list(news), separators=(",", ":"), ensure_ascii=False),
            )
            prepared_sql.insert(batch)
            transaction.on_commit(lambda: events.publish_events(lease.game, lease.token, news))


@seeing_hidden()
def release(lease: Lease, cause: Attempt.Cause, detail: str = "", seat: int | None = None) -> bool:
    """End the attempt without a result and requeue its game; return False if it had already ended."""
    return end_attempt(Attempt.objects.get(pk=lease.attempt), cause, detail, seat)


@seeing_hidden()
def end_attempt(attempt: Attempt, cause: Attempt.Cause, detail: str = "", seat: int | None = None) -> bool:
    """End a running attempt without a result: its game waits again, or is stuck after too many failures.

    `seat` is the one whose bot's process it was that the game could not go on with, if it was one's.
    """
    with transaction.atomic():
        # A game before its attempt, as whoever accepts a result or voids a pair locks them.
        list(Game.objects.select_for_update(no_key=True).filter(pk=attempt.game_id).values_list("pk"))
        ended = Attempt.objects.filter(pk=attempt.pk, ended_at=None).update(
            ended_at=database_clock.now(), cause=cause, detail=detail[:500], seat=seat
        )
        if not ended:
            return False
        EventBatch.objects.filter(attempt=attempt).delete()
        wait = timedelta(seconds=RETRY_SECONDS if cause in PUT_OFF else 0)
        returned = Game.objects.filter(
            pk=attempt.game_id, status=Game.Status.RUNNING, token=attempt.token
        ).update(status=Game.Status.QUEUED, not_before=database_clock.now() + wait)
        waits = bool(returned) and not _stuck(attempt, detail)
        if waits and not wait:
            play_on_commit(1)
        events.changed_on_commit(attempt.game.tournament.slug)
    if waits and attempt.game.tournament.admits_remote:
        _deal_again(attempt)
    return True


def _deal_again(attempt: Attempt) -> None:
    """Begin a pair again with other cards if a program that remembers may have seen some of these.

    Each run of such a pair has deals of its own.
    """
    pair = Pair.objects.get(games=attempt.game_id)
    seen = Attempt.objects.filter(pk=attempt.pk, ply__gt=0).exists()
    if seen and pair.run <= MOST_LOST:
        begin_again(pair, "A game with remote bots was broken off by the arena, and cards had been seen.")


def _stuck(attempt: Attempt, detail: str) -> bool:
    """Set the pair aside with an alarm if its game has failed too often."""
    if without_files(attempt.game_id).exists():
        return False  # nobody need look: it can never be played, and is voided by the sweep
    found = Attempt.objects.filter(game_id=attempt.game_id).aggregate(
        failed=Count("pk", filter=Q(cause__in=FAILURES)),
        lost=Count("pk", filter=Q(cause=Attempt.Cause.LEASE_EXPIRED)),
    )
    if found["failed"] < MOST_FAILURES and found["lost"] < MOST_LOST:
        return False
    pair = Pair.objects.select_related("pairing__tournament").get(games=attempt.game_id)
    games = Game.objects.filter(pair=pair, status=Game.Status.QUEUED)
    for key in games.filter(hidden=False).values_list("pk", flat=True):
        transaction.on_commit(partial(events.publish_finished, key))  # whoever watches need not wait for more
    games.update(status=Game.Status.VOID)
    Pair.objects.filter(pk=pair.pk).update(status=Pair.Status.STUCK)
    tournament = pair.pairing.tournament
    raise_alarm(
        "pair",
        f"pair {pair.pk}",
        f"A pair of {tournament.name!r} failed {found['failed'] + found['lost']} times "
        f"and waits for an operator: {detail or attempt.cause}",
    )
    return True
