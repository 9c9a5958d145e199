"""How far a tournament has come, and when it will be over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Min, Q, Sum
from django.utils import timezone

from analysis.errors import InvalidTournament
from analysis.formats.plans import size
from tournaments.models import Game

if TYPE_CHECKING:
    from tournaments.models import Tournament

RECENT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Progress:
    """Games of a tournament: how many it has (so far as is known), and how fast they go."""

    planned: int
    finished: int
    running: int
    waiting: int
    per_minute: float
    seconds_left: float | None

    @property
    def percent(self) -> float:
        """Finished of planned."""
        return 100 * self.finished / self.planned if self.planned else 0.0


def tournament_progress(tournament: Tournament, now: datetime | None = None) -> Progress:
    """The progress in three queries; the speed is that of the last five minutes."""
    now = now or timezone.now()
    pairs = _made_pairs(tournament)
    if tournament.match_rule is not None:
        pairs = planned_pairs(tournament, tournament.entries.count())
    counted = tournament.games.aggregate(
        finished=Count("pk", filter=Q(status=Game.Status.FINISHED)),
        running=Count("pk", filter=Q(status=Game.Status.RUNNING)),
        queued=Count("pk", filter=Q(status=Game.Status.QUEUED)),
    )
    planned = pairs * tournament.players
    per_minute = _per_minute(tournament, now)
    left = planned - counted["finished"]
    return Progress(
        planned=planned,
        finished=counted["finished"],
        running=counted["running"],
        waiting=max(0, left - counted["running"]),
        per_minute=per_minute,
        seconds_left=60 * left / per_minute if per_minute else None,
    )


def planned_pairs(tournament: Tournament, entrants: int) -> int:
    """How many pairs it will take; for formats where results decide, those made so far.

    Of matches it is about so many, while they are not over.
    """
    try:
        expected = size(
            tournament.format,
            entrants,
            players=tournament.players,
            cycles=tournament.cycles,
            rounds=tournament.rounds,
            pairs=tournament.pairs_per_pairing,
        ).pairs
    except InvalidTournament:
        return _made_pairs(tournament)
    if tournament.match_rule is None:
        return expected
    return _made_pairs(tournament) if tournament.is_over else max(expected, _made_pairs(tournament))


def _made_pairs(tournament: Tournament) -> int:
    """The pairs that are planned in the pairings made so far."""
    met = tournament.pairings.filter(second__isnull=False)
    return met.aggregate(pairs=Sum("pairs_planned"))["pairs"] or 0


def _per_minute(tournament: Tournament, now: datetime) -> float:
    """Games a minute, from the first finished within the last five minutes until now."""
    recent = tournament.games.filter(status=Game.Status.FINISHED, finished_at__gt=now - RECENT).aggregate(
        count=Count("pk"), first=Min("started_at")
    )
    if not recent["count"]:
        return 0.0
    since = max(recent["first"], now - RECENT)
    seconds: float = max((now - since).total_seconds(), 1.0)
    return 60 * int(recent["count"]) / seconds
