"""What goes from the competition with an owner who leaves: what the bots wrote. Results stay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction

from tournaments.models import Evidence, Game, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.models import Bot

AT_ONCE = 200
"""Rows of evidence, of up to some 100 KB each."""
FORGOTTEN: dict[str, Any] = {}


def forget_evidence(bot: Bot) -> None:
    """Empty what ``bot`` left behind in each of its games; that of the other seats stays.

    Once more when this is committed, for games whose end was being stored meanwhile.
    """
    _empty(bot.pk)
    transaction.on_commit(partial(_empty, bot.pk))


def _empty(bot_id: int) -> None:
    seats = Seat.objects.filter(version__bot=bot_id).values_list("game_id", "seat")
    places: dict[Any, list[int]] = {}
    for game, seat in seats:
        places.setdefault(game, []).append(seat)
    games = list(places)
    for start in range(0, len(games), AT_ONCE):
        rows = list(Evidence.objects.filter(game__in=games[start : start + AT_ONCE]))
        for row in rows:
            row.seats = [FORGOTTEN if seat in places[row.pk] else left for seat, left in enumerate(row.seats)]
        Evidence.objects.bulk_update(rows, ["seats"])


def evidence_to_keep(game: Game, evidence: Sequence[Any]) -> list[Any]:
    """What the seats of ``game`` left behind, empty for bots whose owner has left since it began."""
    departed = set(
        Seat.objects.filter(game=game, version__bot__owner=None, version__bot__is_house=False).values_list(
            "seat", flat=True
        )
    )
    return [FORGOTTEN if seat in departed else left for seat, left in enumerate(evidence)]
