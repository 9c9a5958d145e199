"""Claiming a game to play, renewing the claim, and giving it back.

A claim is a conditional update: zero rows means that another was first. It hands out a fencing token (M.
Kleppmann, "How to do distributed locking", 2016): whoever comes late with an old token is refused, however
long it slept.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from tournaments import events
from tournaments.domain.errors import StaleAttempt
from tournaments.models import Attempt, EventBatch, Game, Pair, Tournament
from tournaments.services.alarms import raise_alarm
from tournaments.services.nudge import play_on_commit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

LEASE = timedelta(seconds=30)
RETRY_SECONDS = 5
MOST_FAILURES = 3
"""Attempts that the infrastructure may spoil before an operator must look."""

MOST_LOST = 10
"""Attempts that may end with their worker; each may have another reason, such as the site being stopped."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

FAILURES = (Attempt.Cause.INFRASTRUCTURE, Attempt.Cause.PLAYER_DIED)


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim on a game: whoever holds the game's current token may play and deliver."""

    attempt: int
    game: UUID
    token: int
    slug: str


def claim_next(worker: str) -> Lease | None:
    """Claim the game that should be played now, or None if nothing waits.

    Owners take turns: it is a game of the owner with the fewest running, of these whoever was served
    longest ago.
    """
    for _ in range(20):
        game = _next_game()
        if game is None:
            return None
        lease = claim(game, worker)
        if lease is not None:
            return lease
    return None


def claim(game: Game, worker: str) -> Lease | None:
    """Claim this game, or None if it was taken, voided or finished since it was read."""
    now = timezone.now()
    token = game.token + 1
    with transaction.atomic():
        won = Game.objects.filter(pk=game.pk, status=Game.Status.QUEUED, token=game.token).update(
            status=Game.Status.RUNNING, token=token, started_at=now
        )
        if not won:
            return None
        attempt = Attempt.objects.create(
            game=game, token=token, worker=worker[:120], heartbeat_at=now, lease_until=now + LEASE
        )
        Pair.objects.filter(pk=game.pair_id, status=Pair.Status.QUEUED).update(status=Pair.Status.RUNNING)
        Tournament.objects.filter(pk=game.tournament_id).update(served_at=now)
        slug = game.tournament.slug
        transaction.on_commit(lambda: events.publish_begun(game.pk, token))
        events.changed_on_commit(slug)
    return Lease(attempt.pk, game.pk, token, slug)


def renew(lease: Lease, ply: int, news: Sequence[dict[str, Any]] = (), *, again: bool = False) -> None:
    """Prolong the lease with the ply reached and store new events; they are broadcast once committed.

    `again` says that the answer to the last call was lost, so that some of the news may be stored already.
    Raises StaleAttempt if the lease was lost; then nothing was stored, and the game must be stopped.
    """
    now = timezone.now()
    with transaction.atomic():
        held = Attempt.objects.filter(pk=lease.attempt, token=lease.token, ended_at=None).update(
            heartbeat_at=now, lease_until=now + LEASE, ply=ply
        )
        if not held:
            raise StaleAttempt(
                f"expected attempt {lease.token} of game {lease.game} to be current, it is not"
            )
        if again:
            stored = EventBatch.objects.filter(attempt=lease.attempt).aggregate(last=Max("last_n"))["last"]
            news = [event for event in news if stored is None or event["n"] > stored]
        if news:
            EventBatch.objects.create(
                game_id=lease.game,
                attempt_id=lease.attempt,
                first_n=news[0]["n"],
                last_n=news[-1]["n"],
                data=json.dumps(list(news), separators=(",", ":"), ensure_ascii=False),
            )
            transaction.on_commit(lambda: events.publish_events(lease.game, lease.token, news))


def release(lease: Lease, cause: Attempt.Cause, detail: str = "", seat: int | None = None) -> bool:
    """End the attempt without a result; its game goes back in the queue. False if it had ended before."""
    return end_attempt(Attempt.objects.get(pk=lease.attempt), cause, detail, seat)


def end_attempt(attempt: Attempt, cause: Attempt.Cause, detail: str = "", seat: int | None = None) -> bool:
    """End a running attempt without a result: its game waits again, or is stuck after too many failures.

    `seat` is the one whose bot's process it was that the game could not go on with, if it was one's.
    """
    with transaction.atomic():
        ended = Attempt.objects.filter(pk=attempt.pk, ended_at=None).update(
            ended_at=timezone.now(), cause=cause, detail=detail[:500], seat=seat
        )
        if not ended:
            return False
        EventBatch.objects.filter(attempt=attempt).delete()
        wait = timedelta(seconds=RETRY_SECONDS if cause in (*FAILURES, Attempt.Cause.SANDBOX) else 0)
        returned = Game.objects.filter(
            pk=attempt.game_id, status=Game.Status.RUNNING, token=attempt.token
        ).update(status=Game.Status.QUEUED, not_before=timezone.now() + wait)
        if returned and not _stuck(attempt, detail) and not wait:
            play_on_commit(1)
        events.changed_on_commit(attempt.game.tournament.slug)
    return True


def _stuck(attempt: Attempt, detail: str) -> bool:
    """Set the pair aside with an alarm if its game failed too often."""
    found = Attempt.objects.filter(game_id=attempt.game_id).aggregate(
        failed=Count("pk", filter=Q(cause__in=FAILURES)),
        lost=Count("pk", filter=Q(cause=Attempt.Cause.LEASE_EXPIRED)),
    )
    if found["failed"] < MOST_FAILURES and found["lost"] < MOST_LOST:
        return False
    pair = Pair.objects.select_related("pairing__tournament").get(games=attempt.game_id)
    Pair.objects.filter(pk=pair.pk).update(status=Pair.Status.STUCK)
    Game.objects.filter(pair=pair, status=Game.Status.QUEUED).update(status=Game.Status.VOID)
    tournament = pair.pairing.tournament
    raise_alarm(
        "pair",
        f"pair {pair.pk}",
        f"A pair of {tournament.name!r} failed {found['failed'] + found['lost']} times "
        f"and waits for an operator: {detail or attempt.cause}",
    )
    return True


def _next_game() -> Game | None:
    """The next game in all fairness, or None."""
    now = timezone.now()
    ready = Game.objects.filter(
        Q(not_before=None) | Q(not_before__lte=now),
        status=Game.Status.QUEUED,
        tournament__status=Tournament.Status.RUNNING,
    )
    waiting = list(
        Tournament.objects.filter(pk__in=ready.order_by().values("tournament")).only(
            "owner", "format", "served_at"
        )
    )
    if not waiting:
        return None
    running = Counter(
        turn_of(attempt.game.tournament)
        for attempt in Attempt.objects.filter(ended_at=None).select_related("game__tournament")
    )
    chosen = min(waiting, key=lambda one: (running[turn_of(one)], one.served_at or EPOCH, one.pk))
    return ready.select_related("tournament").filter(tournament=chosen).order_by("order").first()


def turn_of(tournament: Tournament) -> str:
    """Whose turn a game of this tournament takes: its owner's, the house's, or the ladders'."""
    if tournament.format == Tournament.Format.LADDER:
        return "ladders"
    return f"user {tournament.owner_id}" if tournament.owner_id else "house"
