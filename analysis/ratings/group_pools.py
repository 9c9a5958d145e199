"""What counts in a rated pool of games with several seats, and how much.

The rules are those of `analysis.ratings.pools`, with the deal as the unit. A deal in which two authors sit
tells each about the other's bots, whatever the house's bots do meanwhile: an author may throw games to
another, or help it against the third. So

1. a deal with two bots of one author, or of linked accounts, is never rated;
2. the house's bots are rated by deals among themselves alone, and what is not known about them is part of
   everybody's errors;
3. of the information about an author's bot, no more than `MOST_FROM_AUTHORS` comes from deals with other
   authors, and no more than `MOST_FROM_ONE` from those with any one of them, or one game's worth where that
   is more. The rest comes from deals with the house alone;
4. what is left loses its weight as a bot's results in the deals with one author contradict what those with
   the house say.

The weights follow from the deals with the house alone. All of it is a pure function of deals and owners.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import ANCHOR_ELO, SCALE
from analysis.ratings.plackett_luce import fit_weighted, surprises
from analysis.ratings.pools import DISBELIEF, DOUBT, HOUSE, MOST_FROM_AUTHORS, MOST_FROM_ONE, SPREAD, TESTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.ratings.plackett_luce import Deal, GroupFit

ONE_GAME: Final = 0.5
"""About what a game of equals tells of one of them: so much may come from any author, so that everyone who
has played has a rating, however rough."""


def rate(
    rankings: Iterable[tuple[Deal, int]], owners: Mapping[int, int], anchors: Mapping[int, float]
) -> GroupFit:
    """The ratings of a pool, from the deals and how many ended so."""
    counted: dict[Deal, int] = {}
    for deal, times in rankings:
        if may_sit_together(deal, owners):
            counted[deal] = counted.get(deal, 0) + times
    authors = {deal: _authors(deal, owners) for deal in counted}
    ruler = fit_weighted({deal: times for deal, times in counted.items() if not authors[deal]}, anchors)
    trusted = {deal: times for deal, times in counted.items() if len(authors[deal]) <= 1}
    by_house = fit_weighted(trusted, anchors, ruler)
    mixed = {deal: times for deal, times in counted.items() if len(authors[deal]) > 1}
    if not mixed:
        return _widened(by_house)
    weights = _Weights(by_house, trusted, owners).of(mixed)
    whole: dict[Deal, float] = dict(trusted)
    whole |= {deal: times * weights[deal] for deal, times in mixed.items() if weights[deal] > 0}
    return _widened(fit_weighted(whole, anchors, ruler))


def _widened(fitted: GroupFit) -> GroupFit:
    """The fit with errors that allow for bots having stopped when theirs happened to look small."""
    wider = tuple(replace(one, error=one.error * SPREAD) for one in fitted.estimates)
    return replace(fitted, estimates=wider, covariance=fitted.covariance * SPREAD**2)


def may_sit_together(deal: Deal, owners: Mapping[int, int]) -> bool:
    """Whether a deal may be rated: two bots of one author may help each other."""
    authors = [owners[one] for group in deal[0] for one in group if owners[one] != HOUSE]
    return len(set(authors)) == len(authors)


def _authors(deal: Deal, owners: Mapping[int, int]) -> set[int]:
    return {owners[one] for group in deal[0] for one in group} - {HOUSE}


class _Weights:
    """How much deals with several authors count, given what the deals with the house say."""

    def __init__(self, by_house: GroupFit, trusted: Mapping[Deal, int], owners: Mapping[int, int]) -> None:
        self.owners = owners
        self.strength = {
            player: (one.elo - ANCHOR_ELO) / SCALE for player, one in by_house.by_player().items()
        }
        self.known: dict[int, float] = {}
        """What the deals with the house tell of each player."""
        for deal, times in trusted.items():
            for player, (_, told) in surprises(deal, self.strength).items():
                self.known[player] = self.known.get(player, 0.0) + times * told

    def of(self, mixed: Mapping[Deal, int]) -> dict[Deal, float]:
        """The weight of each deal, from 0 to 1: the least of what its players' parts allow."""
        blocks: dict[tuple[int, int], list[float]] = {}
        for deal, times in mixed.items():
            found = surprises(deal, self.strength)
            for block in self._blocks(deal):
                sums = blocks.setdefault(block, [0.0, 0.0, 0.0])
                for place, amount in enumerate((*found[block[0]], 1)):
                    sums[place] += times * amount
        kept, by_all = dict[tuple[int, int], float](), dict[int, float]()
        for (player, owner), (_, told, _) in blocks.items():
            kept[player, owner] = min(told, max(MOST_FROM_ONE * self._rest(player), ONE_GAME))
            by_all[player] = by_all.get(player, 0.0) + kept[player, owner]
        factor = {}
        for block, (more, told, deals) in blocks.items():
            most = max(MOST_FROM_AUTHORS * self._rest(block[0]), ONE_GAME)
            part = kept[block] * min(1.0, most / max(by_all[block[0]], 1e-300))
            size = abs(more) * float(np.sqrt(min(1.0, TESTED / deals) / max(told, 1e-9)))
            belief = min(max((DISBELIEF - size) / (DISBELIEF - DOUBT), 0.0), 1.0)
            if block[0] not in self.strength:  # the house says nothing that could be contradicted
                belief = 1.0
            factor[block] = part / max(told, 1e-300) * belief
        return {deal: min(factor[block] for block in self._blocks(deal)) for deal in mixed}

    def _rest(self, player: int) -> float:
        return self.known.get(player, 0.0) / (1 - MOST_FROM_AUTHORS)

    def _blocks(self, deal: Deal) -> list[tuple[int, int]]:
        """Each author's bot of a deal with each other author."""
        bots = [one for group in deal[0] for one in group if self.owners[one] != HOUSE]
        return [
            (mine, self.owners[his]) for mine in bots for his in bots if self.owners[mine] != self.owners[his]
        ]
