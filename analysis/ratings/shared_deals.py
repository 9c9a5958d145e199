"""Errors of ratings where several pairs were played on the same deals, as in a round of a tournament.

A deal may suit the style of some bots, in all pairs that are played on it. So the errors are of the sandwich
kind with the deal as the unit (H. White, Econometrica 50, 1982; clusters as K.-Y. Liang and S. Zeger,
Biometrika 73, 1986). A few deals cannot tell how alike their pairs are: what they tell is drawn, by `DEALS`
deals, towards that of independent pairs times the ratio seen over all players.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.lazy_numpy import np
from analysis.ratings.elo import SCALE
from analysis.ratings.match_arrays import MatchTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from analysis.ratings.elo import Fit
    from analysis.ratings.match_arrays import Match

DEALS: Final = 4.0


class DealtPair(NamedTuple):
    """A pair of two players on a deal, with the first's half points (0 … 4)."""

    deal: Hashable
    first: int
    second: int
    half_points: int


def with_errors_by_deal(fitted: Fit, matches: Sequence[Match], pairs: Iterable[DealtPair]) -> Fit:
    """The fit of these matches with errors that allow for shared deals; they count fully and have no anchor.

    `pairs` are those that the matches are made of. Where every pair has a deal of its own, nothing changes.
    """
    by_deal: dict[Hashable, list[DealtPair]] = {}
    for pair in pairs:
        by_deal.setdefault(pair.deal, []).append(pair)
    if all(len(found) == 1 for found in by_deal.values()):
        return fitted
    played = [match for match in matches if match.pairs]
    table = MatchTable(fitted.players, played)
    strength = np.array([one.elo for one in fitted.estimates]) / SCALE
    bread, independent = table.sandwich(strength)
    place = {player: index for index, player in enumerate(fitted.players)}
    clustered = np.zeros_like(independent)
    for found in by_deal.values():
        surprise = np.zeros(len(place))
        for pair in found:
            one, other = place[pair.first], place[pair.second]
            more = pair.half_points / 2 - 2 / (1 + np.exp(strength[other] - strength[one]))
            surprise[one] += more
            surprise[other] -= more
        clustered += np.outer(surprise, surprise)
    deals = len(by_deal)
    clustered *= deals / max(deals - 1, 1)  # ratings follow what was seen, so a part of it is no surprise
    told = max(float(np.trace(bread @ independent @ bread)), 1e-300)
    ratio = (deals * float(np.trace(bread @ clustered @ bread)) / told + DEALS) / (deals + DEALS)
    filling = (deals * clustered + DEALS * ratio * independent) / (deals + DEALS)
    covariance = bread @ filling @ bread * SCALE**2
    stretch = covariance.diagonal() / np.maximum(fitted.covariance.diagonal(), 1e-12)
    errors = np.sqrt(covariance.diagonal())
    estimates = tuple(
        replace(one, error=float(error)) for one, error in zip(fitted.estimates, errors, strict=True)
    )
    # The covariance stays: intervals need to know how ratings follow each other, which deals do not change.
    freedom = min(fitted.freedom, deals + DEALS)
    return replace(fitted, estimates=estimates, stretch=stretch, freedom=freedom)
