"""What goes from the competition with an owner who leaves: what the bots wrote. Results stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import BigAutoField, Q

from arena.web.database.prepared_sql import Param, PreparedQuery
from bots.models import program_gone
from tournaments.models import Evidence, Seat
from tournaments.models.embargo import seeing_hidden

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

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
def find_ownerless(pair: int) -> dict[UUID, dict[int, bool]]:
    """By game of a pair, the seats whose bots nobody owns now or whose owner is leaving, and whether they are
    the house's."""
    found: dict[UUID, dict[int, bool]] = {}
    for game, seat, is_house in _ownerless.rows(pair=pair):
        found.setdefault(game, {})[seat] = is_house
    return found


@PreparedQuery
@seeing_hidden()
def _ownerless() -> QuerySet[Seat, tuple[UUID, int, bool]]:
    left = Seat.objects.filter(game__pair=Param("pair", BigAutoField()))
    left = left.filter(Q(version__bot__owner=None) | program_gone("version__"))
    return left.order_by().values_list("game", "seat", "version__bot__is_house")


def evidence_to_keep(
    evidence: Sequence[Any], ownerless: Mapping[int, bool], culprit: int | None
) -> list[Any]:
    """What the seats of a game left behind, empty for bots that nobody owns: nobody is shown it.

    Their owner has left since the game began, or they are the house's. Of a house bot at fault it is kept,
    for whoever mends that. Without this, a game of house bots would take 2.6 kB more in the database.
    """
    kept = {seat for seat, is_house in ownerless.items() if is_house and seat == culprit}
    return [
        FORGOTTEN if seat in ownerless and seat not in kept else left for seat, left in enumerate(evidence)
    ]
