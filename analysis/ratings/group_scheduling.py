"""Chooses which three or four bots a ladder seats next: the most informative deal, owners taking turns.

In the model of Plackett and Luce a ranking compares each seat with each other one about as a game between the
two would, so a group is worth what its couples are worth, reckoned as for pairs from what is known of all
ratings together (`scheduling`). Groups are filled seat by seat with who adds most a second.

An author's bot sits with house bots, because hardly anything would count of a game with a second author
(`analysis.ratings.group_pools`), and house bots are measured among themselves, because no other game tells
anything about them. Only if the house has too few bots for a table do authors fill it up; two bots of one
author never sit together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.lazy_numpy import np
from analysis.ratings.pools import HOUSE
from analysis.ratings.scheduling import FIRST_PAIRS, Field, in_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.scheduling import Candidate, Places


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
