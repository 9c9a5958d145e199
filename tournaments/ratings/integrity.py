"""The night's search for ratings that hang on one owner, and for matches that contradict everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.ratings.group_pools import group_shifts, odd_couples
from analysis.ratings.pools import FLAGGED_RESIDUAL, shifts
from arena.web.database.snapshot import consistent_reads
from arena.web.variants import OPEN
from bots.models import Version
from engine.boards import parse_board
from tournaments.ratings.ratings import rated_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.ratings.inputs import FitInputs
    from analysis.ratings.pools import Shift

    Rows = list[dict[str, Any]]

SHOWN = 50


def examine(variant: str) -> dict[str, Any]:
    """What is suspicious in a variant, as JSON for the integrity page; it changes no rating."""
    with consistent_reads():
        inputs = rated_inputs(variant)
        names = _names(key for one in inputs.values() for key in one.owners)
    moved, odd = list[dict[str, Any]](), list[dict[str, Any]]()
    for board, found in inputs.items():
        seats = parse_board(board.removeprefix(OPEN))[1]
        many = "" if seats == 2 else f" ({seats} seats)"
        for flags, rows in zip((moved, odd), (_pairs, _groups)[seats > 2](found, names), strict=True):
            flags += [row | {key: row[key] + many for key in ("bot", "first") if key in row} for row in rows]
    return {"shifts": moved[:SHOWN], "matches": odd[:SHOWN], "counts": [len(moved), len(odd)]}


def _pairs(inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> tuple[Rows, Rows]:
    """Ratings that hang on one owner, and odd matches, between two seats."""
    weighed = inputs.rate()
    odd = sorted(
        (
            (residual, match)
            for residual, match in zip(weighed.residuals, weighed.matches, strict=True)
            if abs(residual) > FLAGGED_RESIDUAL
        ),
        key=lambda one: -abs(one[0]),
    )
    matches = [
        _odd(names, match.first, match.second, match.pairs, residual) | {"weight": round(match.weight, 3)}
        for residual, match in odd
    ]
    return _moved(shifts(inputs.matches, inputs.owners, inputs.anchors), inputs, names), matches


def _groups(inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> tuple[Rows, Rows]:
    """The same for several seats."""
    found = odd_couples(inputs.rankings, inputs.rate_groups().by_player())
    couples = [_odd(names, one.first, one.second, one.deals, one.residual) for one in found]
    return _moved(group_shifts(inputs.rankings, inputs.owners, inputs.anchors), inputs, names), couples


def _moved(found: Iterable[Shift], inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> Rows:
    by_owner = {owner: names[key][1] for key, owner in inputs.owners.items()}
    return [
        {
            "owner": by_owner[one.owner],
            "bot": names[one.player][0],
            "elo": round(one.elo, 1),
            "errors": round(one.errors, 1),
        }
        for one in found
    ]


def _odd(
    names: Mapping[int, tuple[str, str]], first: int, second: int, pairs: int, residual: float
) -> dict[str, Any]:
    return {
        "first": names[first][0],
        "second": names[second][0],
        "pairs": pairs,
        "residual": round(residual, 1),
    }


def _names(versions: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Each version's name and its owner's."""
    found = Version.objects.in_bulk(list(versions))
    rows = Version.objects.filter(pk__in=list(found)).select_related("bot__owner")
    return {
        one.pk: (str(one), one.bot.owner.get_username() if one.bot.owner else "the house") for one in rows
    }
