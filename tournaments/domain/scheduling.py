"""Which pair a ladder should play next: the one that tells most for its cost, owners taking turns.

Ratings are taken as normal with their standard errors. A pair of i and j measures the difference R_i - R_j
with information 2 p (1 - p) / SCALE² (p the expected score); by Bayes' rule the variances V_i and V_j then
shrink together by (V_i² + V_j²) I / (1 + I (V_i + V_j)). That gain over the seconds it costs is what is
maximised, as in active learning of rankings (compare M. Glickman and S. Jensen, "Adaptive paired comparison
design", 2005). After each choice the variances are those expected after it, so that a batch does not ask
the same thing twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tournaments.domain.elo import ANCHOR_ELO, SCALE, expectation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN_ERROR: Final = 350.0
"""The standard error, in Elo, of a version that has not played."""

SETTLED_ERROR: Final = 25.0
"""A version known that well asks for no more games; it still serves others as an opponent."""

FIRST_PAIRS: Final = 8
"""A version with fewer pairs goes before all others: its author waits for a first verdict."""


ENOUGH_PAIRS: Final = 150
"""Nor does one with so many pairs: of bots far from all others more games tell next to nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version on a ladder. `owner` 0 is the house; `seconds` CPU time a game; `known` pairs so far."""

    entry: int
    owner: int
    elo: float = ANCHOR_ELO
    error: float = UNKNOWN_ERROR
    known: int = 0
    seconds: float = 2.0

    @property
    def settled(self) -> bool:
        """Whether it asks for no more games."""
        known_well = self.error <= SETTLED_ERROR or self.known >= ENOUGH_PAIRS
        return self.known >= FIRST_PAIRS and known_well


def information(one: Candidate, other: Candidate) -> float:
    """What a pair tells about the difference of two ratings, per Elo²."""
    chance = expectation(one.elo - other.elo)
    return 2 * chance * (1 - chance) / SCALE**2


def gain(one: Candidate, other: Candidate) -> float:
    """By how much the two variances shrink together, in Elo², for each second of processor time."""
    first, second = one.error**2, other.error**2
    told = information(one, other)
    shrinks = (first**2 + second**2) * told / (1 + told * (first + second))
    return shrinks / (2 * (one.seconds + other.seconds))


def choose(candidates: Sequence[Candidate], used: Mapping[int, float], count: int) -> list[tuple[int, int]]:
    """The entries of the next pairs, at most `count`; fewer or none when all ratings are settled.

    `used` is the processor time each owner's versions have lately had; of the owners who have a version
    that is not settled, the one with the least is served, versions without a first verdict before all.
    """
    pool = {one.entry: one for one in candidates}
    spent = dict(used)
    chosen: list[tuple[int, int]] = []
    while len(chosen) < count:
        asking = [one for one in pool.values() if not one.settled]
        found = _next(asking, list(pool.values()), spent)
        if found is None:
            return chosen
        one, other = found
        chosen.append((one.entry, other.entry))
        spent[one.owner] = spent.get(one.owner, 0.0) + 2 * (one.seconds + other.seconds)
        pool[one.entry], pool[other.entry] = _after(one, other), _after(other, one)
    return chosen


def _next(
    asking: Sequence[Candidate], pool: Sequence[Candidate], spent: Mapping[int, float]
) -> tuple[Candidate, Candidate] | None:
    """The version to be served and its best opponent, or None if no two may meet."""
    order = sorted(asking, key=lambda one: (one.known >= FIRST_PAIRS, spent.get(one.owner, 0.0), one.known))
    for served in order:
        first, owner = served.known < FIRST_PAIRS, served.owner
        peers = [one for one in order if one.owner == owner and (one.known < FIRST_PAIRS) == first]
        couples = [(one, other) for one in peers for other in pool if may_meet(one, other)]
        if couples:
            return max(couples, key=lambda couple: (gain(*couple), -couple[0].entry, -couple[1].entry))
    return None


def may_meet(one: Candidate, other: Candidate) -> bool:
    """Whether two may meet on a ladder: versions of one author may not, those of the house may."""
    return one.entry != other.entry and (one.owner != other.owner or one.owner == 0)


def _after(one: Candidate, other: Candidate) -> Candidate:
    """What will be known of `one` once it has played a pair with `other`."""
    told = information(one, other)
    before = one.error**2
    variance = before - before**2 * told / (1 + told * (before + other.error**2))
    return replace(one, error=variance**0.5, known=one.known + 1)
