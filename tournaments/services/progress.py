"""The life of a tournament: started, filled with games, paused, resumed, cancelled, finished."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tournaments import events
from tournaments.domain.errors import WrongStatus
from tournaments.models import Attempt, EventBatch, Game, Pair, Tournament
from tournaments.services.nudge import advance_on_commit, play_on_commit
from tournaments.services.planning import fill_window
from tournaments.services.rounds import plan_rounds

Status = Tournament.Status


def start_tournament(tournament: Tournament) -> None:
    """Let a draft run: its first pairings and games are made at once."""
    _change(tournament, (Status.DRAFT,), Status.RUNNING, started_at=timezone.now())
    advance(tournament.pk)


def advance(tournament_id: int) -> None:
    """Make the games that come next, or finish when all pairs are accepted. May be called any time."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None or tournament.status != Status.RUNNING:
            return
        if fill_window(tournament):
            return
        open_pairings = tournament.pairings.filter(pairs_done__lt=F("pairs_planned"))
        if open_pairings.exists():
            return
        if plan_rounds(tournament):
            fill_window(tournament)
            return
        Tournament.objects.filter(pk=tournament.pk).update(status=Status.FINISHED, finished_at=timezone.now())
        events.changed_on_commit(tournament.slug)


def pause_tournament(tournament: Tournament) -> None:
    """Begin no more games; those being played are finished."""
    _change(tournament, (Status.RUNNING,), Status.PAUSED)


def resume_tournament(tournament: Tournament) -> None:
    """Go on where the tournament was paused."""
    with transaction.atomic():
        _change(tournament, (Status.PAUSED,), Status.RUNNING)
        play_on_commit(tournament.games.filter(status=Game.Status.QUEUED).count())
        advance_on_commit(tournament.pk)


def cancel_tournament(tournament: Tournament, reason: str = "") -> None:
    """Stop for good: games in progress are voided, accepted pairs stay and go on counting."""
    with transaction.atomic():
        _change(
            tournament,
            (Status.DRAFT, Status.RUNNING, Status.PAUSED),
            Status.CANCELLED,
            finished_at=timezone.now(),
            note=reason[:300],
        )
        live = Game.objects.filter(
            tournament=tournament, status__in=(Game.Status.QUEUED, Game.Status.RUNNING)
        )
        EventBatch.objects.filter(game__in=live).delete()
        Attempt.objects.filter(game__tournament=tournament, ended_at=None).update(
            ended_at=timezone.now(), cause=Attempt.Cause.CANCELLED, detail=reason[:500]
        )
        live.update(status=Game.Status.VOID)
        waiting = (Pair.Status.QUEUED, Pair.Status.RUNNING, Pair.Status.STUCK)
        Pair.objects.filter(pairing__tournament=tournament, status__in=waiting).update(
            status=Pair.Status.VOID, void_reason=reason[:300] or "the tournament was cancelled"
        )


def _change(tournament: Tournament, before: tuple[Status, ...], after: Status, **values: object) -> None:
    """Change the status by conditional update; WrongStatus names what it is instead."""
    with transaction.atomic():
        changed = Tournament.objects.filter(pk=tournament.pk, status__in=before).update(
            status=after, **values
        )
        tournament.refresh_from_db()
        if not changed:
            expected = " or ".join(status.label.lower() for status in before)
            found = tournament.get_status_display().lower()
            raise WrongStatus(f"Expected a tournament that is {expected}, this one is {found}.")
        events.changed_on_commit(tournament.slug)
