"""Chooses which three or four bots a ladder seats next: the most informative game, owners taking turns.

In the model of Plackett and Luce a ranking compares each seat with each other one about as a game between
the two would, so a group is worth what its couples are worth. With independent errors, and I = p (1 - p) /
SCALE² a game, a couple of i and j takes (v_i² + v_j²) I / (1 + I (v_i + v_j)) from the sum of the variances
of those who ask (compare `scheduling`). Groups are filled seat by seat with who adds most a second. Two bots
of one author never sit together: they may help each other, and such a game would count for nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.arrays import np
from analysis.ratings.elo import SCALE
from analysis.ratings.pools import HOUSE
from analysis.ratings.scheduling import in_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.ratings.scheduling import Candidate


def choose_groups(
    candidates: Sequence[Candidate], used: Mapping[int, float], count: int, seats: int
) -> list[tuple[int, ...]]:
    """The entries of the next groups, each in the order of the entries; at most `count`.

    Fewer or none when all ratings are settled, or too few may sit together. `used` is as for `choose`.
    """
    pool, spent = list(candidates), dict(used)
    chosen: list[tuple[int, ...]] = []
    while len(chosen) < count:
        found = _next_group(pool, spent, seats)
        if found is None:
            break
        chosen.append(tuple(sorted(pool[index].entry for index in found)))
        served = pool[found[0]].owner
        cost = seats * sum(pool[index].seconds for index in found)
        spent[served] = spent.get(served, 0.0) + cost
        for index in found:
            others = [pool[other] for other in found if other != index]
            variance = pool[index].error ** 2
            for other in others:
                variance -= min(variance, _shrinks(pool[index], other)[0])
            error = float(np.sqrt(max(variance, 1.0)))
            pool[index] = replace(pool[index], error=error, known=pool[index].known + 1)
    return chosen


def _next_group(pool: list[Candidate], spent: Mapping[int, float], seats: int) -> list[int] | None:
    """The group to be seated, by index, whoever is served first; None if none may be."""
    for served in in_turn(pool, spent):
        group = [served]
        while len(group) < seats:
            others = (index for index in range(len(pool)) if index not in group)
            free = [index for index in others if _may_join(pool, group, index)]
            if not free:
                break
            group.append(max(free, key=lambda index: _worth(pool, group, index)))
        if len(group) == seats:
            return group
    return None


def _may_join(pool: list[Candidate], group: Sequence[int], index: int) -> bool:
    owner = pool[index].owner
    return owner == HOUSE or all(pool[other].owner != owner for other in group)


def _worth(pool: list[Candidate], group: Sequence[int], index: int) -> float:
    """What a seat for this one adds, in Elo² a second of processor time."""
    gain = 0.0
    for other in group:
        mine, his = _shrinks(pool[index], pool[other])
        gain += (0.0 if pool[index].settled else mine) + (0.0 if pool[other].settled else his)
    return gain / pool[index].seconds


def _shrinks(one: Candidate, other: Candidate) -> tuple[float, float]:
    """By how much a game of two is expected to shrink the variance of either."""
    chance = 1 / (1 + np.exp((other.elo - one.elo) / SCALE))
    told = chance * (1 - chance) / SCALE**2
    mine, his = one.error**2, other.error**2
    whole = 1 + told * (mine + his)
    return float(mine**2 * told / whole), float(his**2 * told / whole)
