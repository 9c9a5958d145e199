"""How tournaments end: what is not finished is voided, what was accepted stays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from arena.web.database import database_clock
from arena.web.processes.alarms import clear_alarm
from tournaments import live_updates as events
from tournaments.events.news import tell_over
from tournaments.models import Alarm, Attempt, EventBatch, Game, Pair, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import holds_back
from tournaments.pairing.row_locks import lock_together

if TYPE_CHECKING:
    from collections.abc import Collection

UNFINISHED: Final = (Pair.Status.QUEUED, Pair.Status.RUNNING, Pair.Status.STUCK)


@seeing_hidden()
def void_unfinished(tournament: Tournament, reason: str) -> None:
    """Void the pairs that are not accepted, with their games; those being played soon notice.

    A finished game of an unfinished pair keeps its result, but counts for nothing. Call in a transaction.
    """
    live = Game.objects.filter(tournament=tournament, status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    # Before their attempts, as whoever accepts a result locks them.
    lock_together(live.order_by())
    waiting = Pair.objects.filter(pairing__tournament=tournament, status__in=UNFINISHED)
    void_pairs(list(waiting.values_list("pk", flat=True)), reason)


@seeing_hidden()
def void_pairs(pairs: Collection[int], reason: str) -> None:
    """Void these unfinished pairs, by their keys. Call with the rows of their games locked."""
    live = Game.objects.filter(pair__in=pairs, status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    EventBatch.objects.filter(game__in=live).delete()
    Attempt.objects.filter(game__pair__in=pairs, ended_at=None).update(
        ended_at=database_clock.now(), cause=Attempt.Cause.CANCELLED, detail=reason[:500]
    )
    for game in live.filter(status=Game.Status.RUNNING, hidden=False).values_list("pk", flat=True):
        transaction.on_commit(
            partial(events.publish_finished, game)
        )  # whoever watches it hears that it is over
    live.update(status=Game.Status.VOID)
    unfinished = Pair.objects.filter(pk__in=pairs, status__in=UNFINISHED)
    for key in unfinished.filter(status=Pair.Status.STUCK).values_list("pk", flat=True):
        clear_alarm(Alarm.Kind.PAIR, f"pair {key}")  # nobody need look at it any more
    unfinished.update(status=Pair.Status.VOID, void_reason=reason[:300])


@seeing_hidden()
def finish(tournament: Tournament, **values: Any) -> None:
    """Mark a running tournament as finished, with further values of the row.

    While it holds results back it goes on: everything that an end makes public waits for the reveal.
    """
    if holds_back(tournament):
        events.changed_on_commit(tournament.slug)
        return
    finished = Tournament.objects.filter(pk=tournament.pk, status=Tournament.Status.RUNNING).update(
        status=Tournament.Status.FINISHED, finished_at=database_clock.now(), **values
    )
    if finished:
        tell_over(tournament, str(values.get("note", "")))
    events.changed_on_commit(tournament.slug)
