"""Rated pools of games with several seats: what counts and how much, who sits next, and what the audit finds.

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

In the model of Plackett and Luce a ranking compares each seat with each other one about as a game between the
two would, so a group is worth what its couples are worth, reckoned as for pairs from what is known of all
ratings together (`scheduling`). Groups are filled seat by seat with who adds most a second.

An author's bot sits with house bots, because hardly anything would count of a game with a second author
(`analysis.ratings.group_pools`), and house bots are measured among themselves, because no other game tells
anything about them. Only if the house has too few bots for a table do authors fill it up; two bots of one
author never sit together.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.lazy_numpy import np
from analysis.ratings.elo import ANCHOR_ELO, SCALE
from analysis.ratings.plackett_luce import fit_weighted, surprises
from analysis.ratings.pools import (
    DISBELIEF,
    DOUBT,
    FLAGGED_RESIDUAL,
    FLAGGED_SHIFT,
    HOUSE,
    MOST_FROM_AUTHORS,
    MOST_FROM_ONE,
    SPREAD,
    TESTED,
    Shift,
)
from analysis.ratings.scheduling import FIRST_PAIRS, Field, in_turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Estimate
    from analysis.ratings.plackett_luce import Deal, GroupFit
    from analysis.ratings.scheduling import Candidate, Places


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


def choose_groups(
    candidates: Sequence[Candidate],
    used: Mapping[int, float],
    count: int,
    seats: int,
    covariance: NDArray[np.float64] | None = None,
    *,
    places: Places | None = None,
) -> list[tuple[int, ...]]:
    """The entries of the next groups, each in the order of the entries; at most `count`.

    Fewer or none when all ratings are settled, or too few may sit together. The other arguments are as for
    `choose`. Of a house bot, `known` are the deals among house bots.
    """
    field, spent = Field(candidates, covariance), dict(used)
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < count:
        group = _next_group(field, spent, seats, places)
        if group is None:
            break
        chosen.append(tuple(sorted(field.pool[index].entry for index in group)))
        if places is not None:
            places.take(*chosen[-1])
        served = field.pool[group[0]].owner
        cost = seats * sum(field.pool[index].seconds for index in group)
        spent[served] = spent.get(served, 0.0) + cost
        field.play(*group)
    return chosen


def _next_group(
    field: Field, spent: Mapping[int, float], seats: int, places: Places | None
) -> list[int] | None:
    """The group to be seated, by index, whoever is served first; None if none may be."""
    may = np.array([places is None or places.may_sit(one.entry) for one in field.pool])
    for served in in_turn(field.pool, spent, places):
        leaders = [served]
        if places is None and field.pool[served].owner != HOUSE and field.pool[served].known >= FIRST_PAIRS:
            # What is not known of the house may be what makes an author's error large.
            leaders += list(map(int, np.flatnonzero(field.house)))
        found = [group for leader in leaders if (group := _filled(field, leader, seats, may)) is not None]
        if found:
            return max(found, key=lambda one: one[0])[1]
    return None


def _filled(
    field: Field, leader: int, seats: int, may_sit: NDArray[np.bool_]
) -> tuple[float, list[int]] | None:
    """The best group with this one, and its worth in Elo² a second; None if too few may sit together."""
    enough = field.house.sum() >= (seats if field.house[leader] else seats - 1)
    group, whole = [leader], 0.0
    may = field.house.copy() if enough else may_sit.copy()
    worth = np.zeros(len(field.pool))
    while len(group) < seats:
        last = group[-1]
        may[last] = False
        if field.owner[last] != HOUSE:
            may &= field.owner != field.owner[last]
        if not may.any():
            return None
        if enough and field.house[last] and not field.house[leader]:
            pass  # two house bots tell nothing of each other where an author sits
        else:
            gains = field.gains(last)
            worth += np.where(np.isfinite(gains), gains, 0.0)
        best = int(np.argmax(np.where(may, worth, -np.inf)))
        group.append(best)
        whole += float(worth[best])
    return whole, group


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
