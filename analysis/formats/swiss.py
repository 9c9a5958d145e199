"""Swiss pairings by maximum weight matching: bots with equal scores meet, and nobody meets twice.

Of all ways to pair a round, we take the one in which, in this order: the fewest meet again; the sum of
squared differences of points is smallest; within a score group, the upper half meets the lower half (as in
the Dutch system of the FIDE handbook, C.04.3). The matching is found by Edmonds' blossom algorithm (Z. Galil,
ACM Computing Surveys 18, 1986; networkx).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

NEIGHBOURS: Final = 24
"""In a large field, opponents are first sought among this many next in rank, then among all."""

AGAIN: Final = 10**9
"""The cost of meeting again; no sum of other costs reaches it."""


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, the higher ranked entrant first, and the one that sits out."""

    tables: list[tuple[int, int]]
    bye: int | None


def usual_rounds(entrants: int) -> int:
    """Return the number of rounds after which there is one leader: log2, rounded up, at least one."""
    return max(1, math.ceil(math.log2(entrants)))


def pair_round(
    ranked: Sequence[int],
    points: Mapping[int, float],
    met: Collection[frozenset[int]],
    byes: Collection[int],
    *,
    unit: float = 1.0,
) -> Round:
    """Pair entrants given best first. `unit` is what winning a whole round is worth in points.

    With an odd number, the lowest ranked entrant without a bye so far sits out.
    """
    bye = None
    playing = list(ranked)
    if len(playing) % 2:
        bye = next((one for one in reversed(playing) if one not in byes), playing[-1])
        playing.remove(bye)
    costs = _costs(playing, points, unit)
    tables = _match(playing, costs, met, NEIGHBOURS) or _match(playing, costs, met, len(playing))
    return Round(sorted(tables, key=lambda table: playing.index(table[0])), bye)


def _costs(
    playing: Sequence[int], points: Mapping[int, float], unit: float
) -> dict[int, tuple[float, int, int]]:
    """Return for each entrant: points in units, rank within its score group, size of that group."""
    groups: dict[float, list[int]] = {}
    for one in playing:
        groups.setdefault(points[one], []).append(one)
    return {
        one: (points[one] / unit, place, len(group))
        for group in groups.values()
        for place, one in enumerate(group)
    }


def _match(
    playing: Sequence[int],
    costs: Mapping[int, tuple[float, int, int]],
    met: Collection[frozenset[int]],
    neighbours: int,
) -> list[tuple[int, int]]:
    """Pair everyone at the least cost with one of the next few in rank; return nothing if that fails."""
    # Imported here because processes that serve pages should not load 15 MB for graphs.
    import networkx as nx  # noqa: PLC0415

    graph = nx.Graph()
    graph.add_nodes_from(playing)
    whole = neighbours >= len(playing)
    for index, one in enumerate(playing):
        for other in playing[index + 1 : index + 1 + neighbours]:
            again = frozenset((one, other)) in met
            if again and not whole:
                continue
            graph.add_edge(one, other, weight=-_cost(costs[one], costs[other]) - AGAIN * again)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(playing):
        return []
    rank = {one: index for index, one in enumerate(playing)}
    return [(one, other) if rank[one] < rank[other] else (other, one) for one, other in found]


def _cost(one: tuple[float, int, int], other: tuple[float, int, int]) -> int:
    """Return the cost of a pairing as an integer, so that the matching is exact. Points come first."""
    difference = round(1000 * (one[0] - other[0]))
    apart = abs(one[1] - other[1]) - one[2] // 2 if one[0] == other[0] else 0
    return difference**2 * 10 + min(abs(apart), 9)
