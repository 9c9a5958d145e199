"""What may be told of hidden games: that there are some, and to operators how many wait.

Never which, nor whose, nor how they went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import BigAutoField, Count

from arena.web.prepared_sql import some, values_of
from tournaments.models import Game, Pair, Pairing
from tournaments.models.embargo import prepare_query, seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from tournaments.models import Tournament


@seeing_hidden()
def has_hidden_meetings(tournament: Tournament) -> bool:
    """Whether meetings of an event are hidden by now."""
    return tournament.hides_results and Pairing.objects.filter(tournament=tournament, hidden=True).exists()


@seeing_hidden()
def with_hidden_games(tournaments: Iterable[Tournament]) -> frozenset[int]:
    """The keys of those of these tournaments in which a hidden game waits or is played."""
    keys = [one.pk for one in tournaments]
    return frozenset(_hiding(len(keys)).rows(**values_of(keys)) if keys else ())


@prepare_query
def _hiding(count: int) -> QuerySet[Game, int]:
    """Those of so many tournaments that have a hidden game to play."""
    waiting = (Game.Status.QUEUED, Game.Status.RUNNING)
    here = Game.objects.filter(tournament__pk__in=some(count, BigAutoField()))
    hidden = here.filter(hidden=True, status__in=waiting)
    return hidden.order_by().values_list("tournament", flat=True).distinct()


@seeing_hidden()
def waiting_hidden() -> int:
    """How many hidden games of the site wait or are played, for operators."""
    waiting = (Game.Status.QUEUED, Game.Status.RUNNING)
    return Game.objects.filter(hidden=True, status__in=waiting).count()


@seeing_hidden()
def stuck_pairs(tournaments: Iterable[Tournament]) -> dict[int, int]:
    """How many pairs of each tournament, by key, could not be played and wait for an operator.

    Hidden ones are counted: their games failed by our fault, which tells nothing of who is ahead.
    """
    stuck = Pair.objects.filter(
        pairing__tournament__in=[one.pk for one in tournaments], status=Pair.Status.STUCK
    )
    return dict(stuck.order_by().values_list("pairing__tournament").annotate(Count("pk")))
