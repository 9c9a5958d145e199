"""The night's search for ratings that hang on one owner, and for matches that contradict everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.ratings.pools import FLAGGED_RESIDUAL, shifts
from arena.common.consistent import consistent_reads
from bots.models import Version
from tournaments.selectors.twins import records
from tournaments.services.rating.ratings import anchors, pool_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN = 50


def examine(variant: str) -> dict[str, Any]:
    """What is suspicious in a variant, as JSON for the integrity page; it changes no rating."""
    with consistent_reads():
        inputs = pool_inputs(variant, anchors(variant), records())
        names = _names(inputs.owners)
    weighed = inputs.rate()
    moved = shifts(inputs.matches, inputs.owners, inputs.anchors)
    odd = sorted(
        (
            (residual, match)
            for residual, match in zip(weighed.residuals, weighed.matches, strict=True)
            if abs(residual) > FLAGGED_RESIDUAL
        ),
        key=lambda one: -abs(one[0]),
    )
    by_owner = {owner: names[key][1] for key, owner in inputs.owners.items()}
    return {
        "shifts": [
            {
                "owner": by_owner[one.owner],
                "bot": names[one.player][0],
                "elo": round(one.elo, 1),
                "errors": round(one.errors, 1),
            }
            for one in moved[:SHOWN]
        ],
        "matches": [
            {
                "first": names[match.first][0],
                "second": names[match.second][0],
                "pairs": match.pairs,
                "residual": round(residual, 1),
                "weight": round(match.weight, 3),
            }
            for residual, match in odd[:SHOWN]
        ],
        "counts": [len(moved), len(odd)],
    }


def _names(versions: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Each version's name and its owner's."""
    found = Version.objects.in_bulk(list(versions))
    rows = Version.objects.filter(pk__in=list(found)).select_related("bot__owner")
    return {
        one.pk: (str(one), one.bot.owner.get_username() if one.bot.owner else "the house") for one in rows
    }
