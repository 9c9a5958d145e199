"""What goes from the competition with an owner who leaves: what the bots wrote. Results stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import UUIDField

from arena.web.database.prepared_sql import Given, Worded
from tournaments.models import Evidence, Seat
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from tournaments.models import Game

AT_ONCE = 200
"""Rows of evidence, of up to some 100 KB each."""
FORGOTTEN: dict[str, Any] = {}


@seeing_hidden()
def forget_evidence(bot_id: int, since: datetime | None = None) -> None:
    """Empty what a bot left behind in each of its games, or those that ended after ``since``.

    What the other seats left stays. Each step is a transaction of its own.
    """
    seats = Seat.objects.filter(version__bot=bot_id)
    if since is not None:
        seats = seats.filter(game__finished_at__gte=since)
    places: dict[UUID, list[int]] = {}
    for game, seat in seats.values_list("game_id", "seat"):
        places.setdefault(game, []).append(seat)
    games = list(places)
    for start in range(0, len(games), AT_ONCE):
        _empty({game: places[game] for game in games[start : start + AT_ONCE]})


@transaction.atomic
def _empty(places: Mapping[UUID, Sequence[int]]) -> None:
    rows = list(Evidence.objects.select_for_update().filter(game__in=places))
    for row in rows:
        seats, sandbox = row.parts()
        kept = [FORGOTTEN if seat in places[row.pk] else left for seat, left in enumerate(seats)]
        row.pack(kept, sandbox)
    Evidence.objects.bulk_update(rows, ["packed", "seats", "sandbox"])


@seeing_hidden()
def evidence_to_keep(game: Game, evidence: Sequence[Any]) -> list[Any]:
    """What the seats of ``game`` left behind, empty for bots whose owner has left since it began."""
    departed = set(_departed.rows(game=game.pk))
    return [FORGOTTEN if seat in departed else left for seat, left in enumerate(evidence)]


@Worded
@seeing_hidden()
def _departed() -> QuerySet[Seat, int]:
    left = Seat.objects.filter(version__bot__owner=None, version__bot__is_house=False)
    return left.filter(game=Given("game", UUIDField())).values_list("seat", flat=True)
