"""How tournaments end: what is not finished is voided, what was accepted stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from tournaments import events
from tournaments.models import Attempt, EventBatch, Game, Pair, Tournament
from tournaments.models.hidden import seeing_hidden
from tournaments.services.news import tell_over
from tournaments.services.pairing.hiding import holds_back
from tournaments.services.pairing.locking import lock_together

if TYPE_CHECKING:
    from datetime import datetime


@seeing_hidden()
def void_unfinished(tournament: Tournament, reason: str) -> None:
    """Void the pairs that are not accepted, with their games; those being played soon notice.

    A finished game of an unfinished pair keeps its result, but counts for nothing. Call in a transaction.
    """
    now: datetime = timezone.now()
    live = Game.objects.filter(tournament=tournament, status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    # Before their attempts, as whoever accepts a result locks them.
    lock_together(live.order_by())
    EventBatch.objects.filter(game__in=live).delete()
    Attempt.objects.filter(game__tournament=tournament, ended_at=None).update(
        ended_at=now, cause=Attempt.Cause.CANCELLED, detail=reason[:500]
    )
    live.update(status=Game.Status.VOID)
    waiting = (Pair.Status.QUEUED, Pair.Status.RUNNING, Pair.Status.STUCK)
    Pair.objects.filter(pairing__tournament=tournament, status__in=waiting).update(
        status=Pair.Status.VOID, void_reason=reason[:300]
    )


@seeing_hidden()
def finish(tournament: Tournament, **values: Any) -> None:
    """Mark a running tournament as finished, with further values of the row.

    While it holds results back it goes on: everything that an end makes public waits for the reveal.
    """
    if holds_back(tournament):
        events.changed_on_commit(tournament.slug)
        return
    finished = Tournament.objects.filter(pk=tournament.pk, status=Tournament.Status.RUNNING).update(
        status=Tournament.Status.FINISHED, finished_at=timezone.now(), **values
    )
    if finished:
        tell_over(tournament, str(values.get("note", "")))
    events.changed_on_commit(tournament.slug)
