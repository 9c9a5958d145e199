"""Tournaments that the house holds between its own bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from arena.web.variants import HOUSE_ROUND_ROBIN
from bots.house import SPARRING
from bots.models import Version
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.models import Tournament
from tournaments.pairing.progress import start_tournament

if TYPE_CHECKING:
    from collections.abc import Sequence


def start_house_tournament(
    variant: str = "crapaud", pairs: int = 10, slugs: Sequence[str] = (), *, again: bool = False
) -> Tournament | None:
    """Start a round-robin between the house's active versions, or those named, unless it was held before.

    Sparring partners take part only where they are named.

    None if these very versions have met in such a tournament already and `again` is not asked for, or if
    fewer than two can be entered.
    """
    active = Version.objects.active_on(variant).filter(bot__is_house=True, bot__withdrawn_at=None)
    active = active.filter(bot__slug__in=slugs) if slugs else active.exclude(bot__slug__in=SPARRING)
    versions = tuple(active.order_by("bot__slug").values_list("pk", flat=True))
    if len(versions) < 2:
        return None
    with transaction.atomic():
        if not again and _held(variant, set(versions)):
            return None
        new = NewTournament(HOUSE_ROUND_ROBIN, versions, variant=variant, pairs_per_pairing=pairs)
        tournament = create_tournament(new, None)
        start_tournament(tournament)
    return tournament


def _held(variant: str, versions: set[int]) -> bool:
    """Whether the house has held a tournament of exactly these versions, or is holding it."""
    earlier = Tournament.objects.filter(owner=None, variant=variant, name=HOUSE_ROUND_ROBIN).exclude(
        status=Tournament.Status.CANCELLED
    )
    return any(set(one.entries.values_list("version", flat=True)) == versions for one in earlier)
