"""How far a tournament has come, and when it will be over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import BigAutoField, Count, DateTimeField, Min, Q, Sum
from django.utils import timezone

from analysis.errors import InvalidTournament
from analysis.formats.plans import size
from arena.web.prepared_sql import Given, some, values_of
from tournaments.models import Game, Pairing
from tournaments.models.hidden import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from tournaments.models import Tournament

Status = Game.Status
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


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted of a tournament: pairs planned in the pairings made so far, those that were forfeited
    besides, pairs that count, games by status, and of the games finished lately how many, and when the first
    of them began."""

    made_pairs: int = 0
    forfeited_pairs: int = 0
    done_pairs: int = 0
    finished: int = 0
    running: int = 0
    queued: int = 0
    void: int = 0
    recent: int = 0
    first: datetime | None = None

    def per_minute(self, now: datetime) -> float:
        """Games a minute, from the first finished within the last five minutes until now."""
        if not self.recent or self.first is None:
            return 0.0
        since = max(self.first, now - RECENT)
        return 60 * self.recent / max((now - since).total_seconds(), 1.0)


def count(tournaments: Iterable[Tournament], now: datetime | None = None) -> dict[int, Counted]:
    """What is counted of each tournament, by its key; three queries for all of them."""
    keys = [one.pk for one in tournaments]
    if not keys:
        return {}
    which = values_of(keys)
    since = (now or timezone.now()) - RECENT
    pairs = {key: [number or 0 for number in rest] for key, *rest in _pairs(len(keys)).rows(**which)}
    games: dict[int, dict[str, int]] = {key: {} for key in keys}
    for key, status, number in _by_status(len(keys)).rows(**which):
        games[key][status] = number
    lately = {key: (number, first) for key, number, first in _lately(len(keys)).rows(**which, since=since)}
    found = {}
    for key in keys:
        made, done, forfeited = pairs.get(key, (0, 0, 0))
        number, first = lately.get(key, (0, None))
        found[key] = Counted(
            made_pairs=made,
            forfeited_pairs=forfeited,
            done_pairs=done,
            finished=games[key].get(Status.FINISHED, 0),
            running=games[key].get(Status.RUNNING, 0),
            queued=games[key].get(Status.QUEUED, 0),
            void=games[key].get(Status.VOID, 0),
            recent=number,
            first=first,
        )
    return found


@worded
def _pairs(count: int) -> QuerySet[Pairing, tuple[int, int | None, int | None, int | None]]:
    """The pairs of so many tournaments that are planned, count, and were forfeited, by tournament."""
    met = Pairing.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    return met.values_list("tournament").annotate(
        made=Sum("pairs_planned", filter=Q(second__isnull=False)),
        done=Sum("pairs_done"),
        forfeited=Sum("pairs_forfeited"),
    )


@worded
def _by_status(count: int) -> QuerySet[Game, tuple[int, str, int]]:
    """How many games so many tournaments have, by tournament and status."""
    played = Game.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    return played.values_list("tournament", "status").annotate(Count("pk"))


@worded
def _lately(count: int) -> QuerySet[Game, tuple[int, int, datetime]]:
    """How many games of so many tournaments ended since then, and when the first of them began."""
    since = Given("since", DateTimeField())
    played = Game.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    finished = played.filter(status=Game.Status.FINISHED, finished_at__gt=since)
    return finished.values_list("tournament").annotate(Count("pk"), Min("started_at"))


def tournament_progress(
    tournament: Tournament, counted: Counted, entrants: int, now: datetime | None = None
) -> Progress:
    """How far a tournament with so many entrants has come, by what was counted of it."""
    pairs = counted.made_pairs
    if tournament.match_rule is not None or tournament.group_rule is not None:
        pairs = planned_pairs(tournament, entrants, counted)
    planned = pairs * tournament.players
    per_minute = counted.per_minute(now or timezone.now())
    left = planned - counted.finished
    return Progress(
        planned=planned,
        finished=counted.finished,
        running=counted.running,
        waiting=max(0, left - counted.running),
        per_minute=per_minute,
        seconds_left=60 * left / per_minute if per_minute else None,
    )


def planned_pairs(tournament: Tournament, entrants: int, counted: Counted) -> int:
    """How many pairs it will take, or took; for formats where results decide, those planned so far.

    Of matches it is about so many, while they are not over, and of a knock-out after groups at least so many.
    """
    made = counted.made_pairs
    if tournament.status == tournament.Status.FINISHED and tournament.format != tournament.Format.SPRT:
        return made
    try:
        expected = size(
            tournament.format,
            entrants,
            players=tournament.players,
            cycles=tournament.cycles,
            rounds=tournament.rounds,
            pairs=tournament.pairs_per_pairing,
            groups=tournament.group_rule,
        ).pairs
    except InvalidTournament:
        return made
    expected -= counted.forfeited_pairs
    if tournament.match_rule is None and tournament.group_rule is None:
        return expected
    return made if tournament.is_over else max(expected, made)
