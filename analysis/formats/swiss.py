"""Swiss pairings by maximum weight matching: bots with equal scores meet, and nobody meets twice.

Of all ways to pair a round we take the one that comes first by these wishes, each of which counts only among
the ways that are equal in all wishes before it:

1. the fewest tables at which two meet again, then the fewest meetings these had before;
2. the bye goes to who had the fewest byes so far;
3. then to the lowest score;
4. the sum of the squared differences of points is smallest;
5. the bye goes to the lowest rank;
6. those who meet somebody of another score group are the lowest of the higher group and the highest of the
   lower one (the sum of the squared differences of their ranks is smallest), then the higher ones meet the
   higher ones;
7. within a score group, without those, the upper half meets the lower half in the same order: the fewest
   tables within a half, the smallest sum of shifts, and then the highest opponents for the highest.

These are the principles of the Dutch system of the FIDE handbook (C.04.3: C.1 and C.2 absolute, C.4 the round
can be completed, C.5 the score of who gets the bye, then floaters, then transpositions before exchanges). Its
rules on colours do not apply, because a pair is played from both seats. Nor do its rules on who floated in
the rounds before, because a round is worth many points and most tables are of unequal scores: what counts is
how unequal. FIDE counts floaters, we sum squares.

The wishes become one integer for each table, in a mixed radix in which no sum of lower wishes reaches the
next higher one. The matching is found by Edmonds' blossom algorithm in integers (Z. Galil, ACM Computing
Surveys 18, 1986; networkx), so a round without a second meeting is found where there is one. Which way is
taken does not depend on the algorithm: no two ways are equal in all wishes. In large fields, tables that
cannot be part of the best way are left out (`_Field._within_reach`), so a round of 200 takes less than a
second.

If another round follows, one step is looked ahead: of the ways that repeat as little as the best one, the
first is taken after which the next round can be paired without a second meeting or bye. They are tried in
their order (K. G. Murty, Operations Research 16, 1968), until `SOLVED` matchings were solved. It matters in
long events only: while everybody has not met half of the others, there always is a next round (G. A. Dirac,
Proceedings of the London Mathematical Society 2, 1952). Nothing is looked further ahead: whether several more
rounds can be paired is hard to say in general, and who will leave is not known.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

RULE: Final = 1
"""What a tournament's options call these wishes (`pairing_rule`), so that its rounds can be verified."""
SOLVED: Final = 200
"""The most matchings that are solved for a round to find one after which the next can be paired."""

Table = tuple[int, int]
"""Two who meet, the better ranked first."""
Wishes = tuple[int, ...]
"""How far a table, or a whole round, is from each wish, the most important first; 0 is best."""


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, the higher ranked entrant first, and the one that sits out."""

    tables: list[Table]
    bye: int | None


def usual_rounds(entrants: int) -> int:
    """Return the number of rounds after which there is one leader: log2, rounded up, at least one."""
    return max(1, math.ceil(math.log2(entrants)))


def pair_round(
    ranked: Sequence[int],
    points: Mapping[int, float],
    met: Iterable[frozenset[int]],
    byes: Iterable[int],
    *,
    followed: bool = False,
) -> Round:
    """Pair entrants given best first.

    `met` has two who met, and `byes` who sat out, once for each time; others than `ranked` are ignored.
    `followed` is whether another round comes.
    """
    place = {one: index for index, one in enumerate(ranked)}
    times = Counter(
        (min(seats), max(seats))
        for seats in (sorted(place[one] for one in couple) for couple in met if couple <= place.keys())
    )
    sat = Counter(place[one] for one in byes if one in place)
    field = _Field(_integers([points[one] for one in ranked]), times, sat)
    tables = field.pair_ahead() if followed else field.pair()[1]
    bye = next((ranked[one] for one, other in tables if other == field.count), None)
    return Round([(ranked[one], ranked[other]) for one, other in tables if other < field.count], bye)


def _integers(points: Sequence[float]) -> list[int]:
    """Return the points in a unit of which all are whole multiples, from 0."""
    exact = [Fraction(one) for one in points]
    unit = math.lcm(*(one.denominator for one in exact))
    whole = [int(one * unit) for one in exact]
    return [one - min(whole) for one in whole]


@dataclass(frozen=True)
class _Field:
    """Who is to be paired, by rank from 0; with an odd number, the bye is a table with `count`.

    `scores` fall; `times` is how often two met, `sat` how often one had a bye.
    """

    scores: Sequence[int]
    times: Counter[Table]
    sat: Counter[int]

    @property
    def count(self) -> int:
        """How many are to be paired."""
        return len(self.scores)

    @cached_property
    def every_table(self) -> list[Table]:
        """All that is possible."""
        return list(combinations(range(self.count + self.count % 2), 2))

    def repeats(self, table: Table) -> int:
        """How often the two met, or one had a bye."""
        return self.sat[table[0]] if table[1] == self.count else self.times[table]

    def pair(self, barred: frozenset[Table] = frozenset()) -> tuple[list[Wishes], list[Table]]:
        """Return the wishes of the best way without some tables, and its tables, the highest first; none if
        there is no way.

        First who meets across score groups (and who sits out), then each group's own tables.
        """
        possible = self._within_reach() if not barred else self.every_table
        costs = {table: self._across(table) for table in possible if table not in barred}
        tables, cost = _solve(costs, self.count + self.count % 2)
        wishes = [cost]
        found = [one for one in tables if self._is_across(one)]
        groups: dict[int, list[int]] = {}
        for one in sorted(seat for table in tables if not self._is_across(table) for seat in table):
            groups.setdefault(self.scores[one], []).append(one)
        for group in groups.values():
            tables, cost = self._pair_group(group, barred)
            wishes.append(cost)
            found += tables
        return wishes, sorted(found, key=lambda table: (table[1] == self.count, table))

    def _pair_group(self, group: Sequence[int], barred: frozenset[Table]) -> tuple[list[Table], Wishes]:
        """Return the tables of a score group whose members all meet each other, and their wishes.

        If i meets someone D places away from whom it would meet, at least D others could change opponents
        with it for the better. Each change repeats a meeting of i or of its opponent, or D is 0: at most
        twice the most opponents anyone had. If a half has more members than that, such a way exists.
        """
        half, most = len(group) // 2, self._most_opponents(group)
        near = not barred and half > 2 * most
        costs: dict[Table, Wishes] = {}
        for one, other in combinations(range(len(group)), 2):
            if near and (not one < half <= other or abs(other - one - half) > 2 * most):
                continue
            table = (group[one], group[other])
            if table not in barred:
                costs[table] = (*self._again(table), *_fold(one, other, len(group)))
        return _solve(costs, len(group))

    def _within_reach(self) -> list[Table]:
        """Return the tables of bots that are not too far apart in rank, and all byes.

        Let a and d meet, with b between them who meets c. Meeting the other way about (a with b and c with d,
        if c ranks after b) makes no wish worse and some better, or the distances in rank smaller. It can only
        repeat something if a or d met one of the two: so of whoever is between them all but four times the
        most opponents anyone had would be better off, and whoever sits out. The best way has no such table.
        """
        reach = 4 * self._most_opponents(range(self.count)) + 3
        return [table for table in self.every_table if table[1] - table[0] <= reach or table[1] == self.count]

    def _most_opponents(self, group: Sequence[int]) -> int:
        """Return how many of a group the one met who met most of them."""
        among = set(group)
        met = Counter(seat for table in self.times if among.issuperset(table) for seat in table)
        return max(met.values(), default=0)

    def pair_ahead(self) -> list[Table]:
        """Return the best way after which the next round can be paired; the best at all if none is found."""
        ways = self._in_order()
        best = next(ways)
        for tables in chain((best,), ways):
            if self._repeated(tables) > self._repeated(best):
                break
            if self._goes_on(tables):
                return tables
        return best

    def _in_order(self) -> Iterator[list[Table]]:
        """Return the ways to pair, best first: each splits the others by the first table they differ in."""
        best = self.pair()
        heap: list[tuple[list[Wishes], list[Table], frozenset[Table]]] = [(*best, frozenset())]
        solved = 1
        while heap and solved < SOLVED:
            _, tables, barred = heapq.heappop(heap)
            yield tables
            for table in tables:
                found = self.pair(barred | {table})
                solved += 1
                if found[1]:
                    heapq.heappush(heap, (*found, barred | {table}))
                barred |= {one for one in self.every_table if set(one) & set(table)} - {table}

    def _repeated(self, tables: Iterable[Table]) -> int:
        return sum(self.repeats(table) for table in tables)

    def _goes_on(self, tables: Sequence[Table]) -> bool:
        """Whether the round after these tables can be paired without a second meeting or bye."""
        played = set(tables)
        new = [one for one in self.every_table if one not in played and not self.repeats(one)]
        degrees = Counter(seat for table in new for seat in table)
        whole = self.count + self.count % 2
        if 2 * min(degrees[seat] for seat in range(whole)) >= whole:
            return True
        return bool(_solve(dict.fromkeys(new, (0,)), whole)[0])

    def _is_across(self, table: Table) -> bool:
        one, other = table
        return other == self.count or self.scores[one] != self.scores[other]

    def _again(self, table: Table) -> Wishes:
        return (int(self.times[table] > 0), self.times[table])

    def _across(self, table: Table) -> Wishes:
        """Return the wishes 1 to 6; within a score group only the first counts."""
        one, other = table
        if other == self.count:
            return (0, 0, self.sat[one], self.scores[one], 0, self.count - one, 0, 0)
        apart, ranks, order = self.scores[one] - self.scores[other], 0, 0
        if apart:
            ranks, order = (other - one) ** 2, _order(one, other, self.count)
        return (*self._again(table), 0, 0, apart**2, 0, ranks, order)


def _order(one: int, other: int, count: int) -> int:
    """Return a number whose sum over tables is smaller if the highest meet higher ones; no two are equal."""
    return int(other * count ** (count - 1 - one))


def _fold(one: int, other: int, size: int) -> Wishes:
    """Return the wish 7 for two places of a score group."""
    half = size // 2
    return (int((one < half) == (other < half)), abs(other - one - half), _order(one, other, size))


def _solve(costs: Mapping[Table, Wishes], seats: int) -> tuple[list[Table], Wishes]:
    """Return the tables for everybody at the least cost, and that cost; nothing if not all can be paired."""
    # Imported here because processes that serve pages should not load 15 MB for graphs.
    import networkx as nx  # noqa: PLC0415

    if not costs:
        return [], ()
    # No sum over the tables of a round reaches the next higher wish.
    radix = [seats // 2 * max(column) + 1 for column in zip(*costs.values(), strict=True)]
    graph: Any = nx.Graph()
    graph.add_weighted_edges_from((*table, -_joined(wishes, radix)) for table, wishes in costs.items())
    found = sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    if 2 * len(found) < seats:
        return [], ()
    return found, tuple(map(sum, zip(*(costs[table] for table in found), strict=True)))


def _joined(wishes: Wishes, radix: Sequence[int]) -> int:
    whole = 0
    for wish, base in zip(wishes, radix, strict=True):
        whole = whole * base + wish
    return whole
