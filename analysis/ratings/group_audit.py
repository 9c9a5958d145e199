"""The audit of ratings of several seats: what hangs on one owner, and which bots contradict the ratings."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.lazy_numpy import np
from analysis.ratings.elo import SCALE
from analysis.ratings.group_pools import may_sit_together
from analysis.ratings.plackett_luce import fit_weighted
from analysis.ratings.pools import FLAGGED_RESIDUAL, FLAGGED_SHIFT, HOUSE, Shift

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.ratings.elo import Estimate
    from analysis.ratings.plackett_luce import Deal

MOST_LEFT_OUT: Final = 100
"""How many owners (those with the most deals) are left out in turn; each costs a fit."""


class Odd(NamedTuple):
    """Two bots of which the first came in ahead by so many standard errors more often than ratings say."""

    first: int
    second: int
    deals: int
    residual: float


def group_shifts(
    rankings: Iterable[tuple[Deal, int]], owners: Mapping[int, int], anchors: Mapping[int, float]
) -> list[Shift]:
    """Return the ratings that move by more than `FLAGGED_SHIFT` errors if one owner's bots are left out.

    Every deal counts fully, because weights would hide what is looked for. Largest first.
    """
    counted = {deal: times for deal, times in rankings if may_sit_together(deal, owners)}
    whole = fit_weighted(counted, anchors).by_player()
    deals: dict[int, int] = {}
    seated = {deal: {owners[one] for group in deal[0] for one in group} for deal in counted}
    for deal, times in counted.items():
        for owner in seated[deal] - {HOUSE}:
            deals[owner] = deals.get(owner, 0) + times
    found = []
    for owner in sorted(deals, key=lambda one: (-deals[one], one))[:MOST_LEFT_OUT]:
        rest = {deal: times for deal, times in counted.items() if owner not in seated[deal]}
        for player, without in fit_weighted(rest, anchors).by_player().items():
            if without.anchored:
                moved, error = whole[player].elo - without.elo, max(whole[player].error, 1.0)
                if abs(moved) > FLAGGED_SHIFT * error:
                    found.append(Shift(owner, player, moved, moved / error))
    return sorted(found, key=lambda one: -abs(one.errors))


def odd_couples(rankings: Iterable[tuple[Deal, int]], rated: Mapping[int, Estimate]) -> list[Odd]:
    """Return the couples whose residual exceeds `FLAGGED_RESIDUAL`, largest first.

    In the model of Plackett and Luce, one is ahead of the other as often as it would win between two. All
    games of a deal count as one, because they may be played alike.
    """
    sums: dict[tuple[int, int], list[float]] = {}
    for deal, times in rankings:
        players = sorted({one for group in deal[0] for one in group if one in rated})
        for couple in combinations(players, 2):
            chance = float(1 / (1 + np.exp((rated[couple[1]].elo - rated[couple[0]].elo) / SCALE)))
            ahead = sum(_ahead(ranking, *couple) for ranking in deal) / len(deal)
            found = sums.setdefault(couple, [0.0, 0.0, 0.0])
            for place, amount in enumerate((1, ahead - chance, chance * (1 - chance))):
                found[place] += times * amount
    odd = [
        Odd(*couple, int(deals), more / float(np.sqrt(max(variance, 1e-9))))
        for couple, (deals, more, variance) in sums.items()
    ]
    return sorted(
        (one for one in odd if abs(one.residual) > FLAGGED_RESIDUAL), key=lambda one: -abs(one.residual)
    )


def _ahead(ranking: Iterable[Iterable[int]], one: int, other: int) -> float:
    """1 if one is ranked before the other, ½ if they are equal, else 0."""
    place = {player: rank for rank, group in enumerate(ranking) for player in group}
    return 0.5 * ((place[one] < place[other]) + (place[one] <= place[other]))
