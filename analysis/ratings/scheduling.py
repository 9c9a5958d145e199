"""Chooses the pair a ladder plays next: the most informative one for its cost, with owners taking turns.

The covariance C says what is known about the ratings: errors of bots that met the same opponents are
correlated, and a bot's own error is hardly smaller than the errors of the bots it was measured against. A
pair of i and j measures R_i - R_j with information I = 2 p (1 - p) / SCALE², p the expected score. By Bayes'
rule the sum of the variances of all bots k that still ask for games then shrinks by

    sum over k of (C_ki - C_kj)² I / (1 + I Var(R_i - R_j))

A pair of the house and an author tells nothing about the house's bot (`analysis.ratings.pools`), so for k of
the house the gain is 0. House bots ask for games against each other, and those are also played for an author
where not knowing the house is what makes its error large.

The pair with the largest gain per second of its cost is chosen, as in active learning of rankings (compare M.
Glickman and S. Jensen, "Adaptive paired comparison design", 2005). Variances are against the anchors, so
playing a well-known house bot is valuable. After each choice, C is updated to its expected value after the
pair, so that a batch does not ask the same question twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import ANCHOR_ELO, SCALE
from analysis.ratings.pools import HOUSE, MOST_FROM_AUTHORS, MOST_FROM_ONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

UNKNOWN_ERROR: Final = 350.0
"""The standard error, in Elo, of a version that has not played."""

SETTLED_ERROR: Final = 25.0
"""A version with this error asks for no more games. Others can still play it."""

FIRST_PAIRS: Final = 8
"""Versions with fewer pairs come first, because their authors wait for a first verdict."""

OVER: Final = 0.01
"""What is left of the information of a pair that the ratings will hardly count."""

ENOUGH_PAIRS: Final = 150
"""Nor does a version with this many pairs. For bots far from all others, more games say almost nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version on a ladder.

    Owner 0 is the house, `seconds` is CPU time per game, `known` the pairs so far. A version that `waits`
    asks for its first pairs only.
    """

    entry: int
    owner: int
    elo: float = ANCHOR_ELO
    error: float = UNKNOWN_ERROR
    known: int = 0
    seconds: float = 2.0
    waits: bool = False

    @property
    def settled(self) -> bool:
        """Whether it needs no more games."""
        known_well = self.error <= SETTLED_ERROR or self.known >= ENOUGH_PAIRS
        return self.known >= FIRST_PAIRS and (known_well or self.waits)


@dataclass(slots=True)
class Places:
    """Who can be given games now, where that is not everybody: of each pair at least one entry of `free`.

    `free` is how many pairs each of these entries can begin, `account` whose each is, `of_account` how many
    pairs all entries of an account can begin, and `left` how many all can. Entries that are not in `free`
    can begin any number.
    """

    free: dict[int, int]
    account: dict[int, int | None]
    of_account: dict[int | None, int]
    left: int

    def may_begin(self, entry: int) -> bool:
        """Whether a pair can be made for an entry."""
        if entry not in self.free or self.left <= 0:
            return False
        return self.free[entry] > 0 and self.of_account[self.account[entry]] > 0

    def may_sit(self, entry: int) -> bool:
        """Whether an entry can be the opponent in a pair of another."""
        return entry not in self.free or self.may_begin(entry)

    def take(self, *entries: int) -> None:
        """Let a pair of these entries begin."""
        self.left -= 1
        for entry in entries:
            if entry in self.free:
                self.free[entry] -= 1
                self.of_account[self.account[entry]] -= 1


class Field:
    """The versions of a ladder, with the joint knowledge of their ratings.

    Args:
        candidates: the versions.
        covariance: that of their ratings in Elo², in the same order; without it errors are taken as
            independent.
        met: by (entry, owner) how many of a version's pairs were against bots of that owner.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        covariance: Floats | None = None,
        met: Mapping[tuple[int, int], int] | None = None,
    ) -> None:
        self.met = dict(met or {})
        self.pool = [self._as_rated(one) for one in candidates] if met else list(candidates)
        self.errors = np.array([one.error for one in self.pool], dtype=np.float64)
        self.covariance = np.diag(self.errors**2) if covariance is None else covariance.astype(np.float64)
        self.elo = np.array([one.elo for one in self.pool], dtype=np.float64)
        self.owner = np.array([one.owner for one in self.pool], dtype=np.int64)
        self.seconds = np.array([one.seconds for one in self.pool])
        self.entry = np.array([one.entry for one in self.pool])
        self.house = self.owner == HOUSE

    def _as_rated(self, one: Candidate) -> Candidate:
        """A candidate with the pairs that count for it."""
        return one if one.owner != HOUSE else replace(one, known=self.met.get((one.entry, HOUSE), 0))

    def gains(self, index: int) -> Floats:
        """Return the worth of a pair with each other version, in Elo² per second; -inf if not allowed."""
        own = self.owner[index]
        asking = np.array([not one.settled for one in self.pool])
        if own == HOUSE:
            rivals = np.flatnonzero(self.house)
        else:
            asking &= ~self.house
            rivals = np.flatnonzero(self.owner != own)
        rivals = rivals[rivals != index]
        told = self.information(index)[rivals]
        apart = self.covariance[asking][:, [index]] - self.covariance[asking][:, rivals]
        of_all = self.covariance.diagonal()
        variance = of_all[index] + of_all[rivals] - 2 * self.covariance[index, rivals]
        shrinks = (apart**2).sum(axis=0) * told / (1 + told * np.maximum(variance, 0.0))
        gains = np.full(len(self.pool), -np.inf)
        gains[rivals] = shrinks / (2 * (self.seconds[index] + self.seconds[rivals]))
        return gains

    def information(self, index: int) -> Floats:
        """Return the information of a pair with each other version about their difference, per Elo².

        A pair that would be more than its part for either side counts as little as the ratings will let it.
        """
        chance = 1 / (1 + np.exp((self.elo - self.elo[index]) / SCALE))
        told = 2 * chance * (1 - chance) / SCALE**2
        own = self.pool[index]
        over = [
            number
            for number, other in enumerate(self.pool)
            if self._is_over(own, other.owner) or self._is_over(other, own.owner)
        ]
        told[over] *= OVER
        return np.asarray(told)

    def _is_over(self, one: Candidate, owner: int) -> bool:
        """Whether another pair against this owner would be more than may count of the version's pairs."""
        if 0 in (one.owner, owner):
            return False
        authors = one.known - self.met.get((one.entry, 0), 0)
        one_too_many = self.met.get((one.entry, owner), 0) + 1 > max(1.0, MOST_FROM_ONE * (one.known + 1))
        return one_too_many or authors + 1 > max(1.0, MOST_FROM_AUTHORS * (one.known + 1))

    def play(self, *members: int) -> None:
        """Let what is known be what it is expected to be after a pair of these two, or a deal of these."""
        of_house = bool(self.house[list(members)].all())
        for index, other in combinations(members, 2):
            if of_house or not (self.house[index] and self.house[other]):
                self._learn(index, other)
        self.errors = np.sqrt(np.maximum(self.covariance.diagonal(), 0.0))
        for one in range(len(self.pool)):
            counts = one in members and (of_house or not self.house[one])
            self.pool[one] = replace(
                self.pool[one], error=float(self.errors[one]), known=self.pool[one].known + counts
            )
        for mine, his in permutations(members, 2):
            key = (self.pool[mine].entry, self.pool[his].owner)
            self.met[key] = self.met.get(key, 0) + 1

    def _learn(self, index: int, other: int) -> None:
        """Update the covariance by a pair of these two."""
        told = float(self.information(index)[other])
        apart = self.covariance[:, index] - self.covariance[:, other]
        variance = max(float(apart[index] - apart[other]), 0.0)
        # The gain of a Kalman filter, in the form by P. Bucy and P. Joseph (1968): right for any gain.
        share, follows = told / (1 + told * variance), apart.copy()
        if self.house[index] != self.house[other]:
            follows[self.house] = 0.0
        both = np.outer(follows, apart)
        self.covariance -= share * (both + both.T - np.outer(follows, follows))


def choose(
    candidates: Sequence[Candidate],
    used: Mapping[int, float],
    count: int,
    covariance: Floats | None = None,
    met: Mapping[tuple[int, int], int] | None = None,
    *,
    places: Places | None = None,
) -> list[tuple[int, int]]:
    """The entries of the next pairs, at most `count`; fewer or none when all ratings are settled.

    `used` is the CPU time each owner's versions have had lately. Among owners with an unsettled version, the
    one with the least is served. Versions without a first verdict come before all others. With `places`, only
    those in them are served; they are taken.
    """
    field = Field(candidates, covariance, met)
    spent = dict(used)
    chosen: list[tuple[int, int]] = []
    while len(chosen) < count:
        found = _next(field, spent, places)
        if found is None:
            return chosen
        one, other = (field.pool[index] for index in found)
        chosen.append((one.entry, other.entry))
        if places is not None:
            places.take(one.entry, other.entry)
        spent[one.owner] = spent.get(one.owner, 0.0) + 2 * (one.seconds + other.seconds)
        field.play(*found)
    return chosen


def _next(field: Field, spent: Mapping[int, float], places: Places | None) -> tuple[int, int] | None:
    """Return the indices of the version to serve and its best opponent, or None if no two may meet."""
    asking = in_turn(field.pool, spent, places)
    away = [] if places is None else [n for n, one in enumerate(field.pool) if not places.may_sit(one.entry)]
    for served in asking:
        first, owner = field.pool[served].known < FIRST_PAIRS, field.pool[served].owner
        peers = [
            index
            for index in asking
            if field.pool[index].owner == owner and (field.pool[index].known < FIRST_PAIRS) == first
        ]
        if owner != HOUSE and not first and places is None:
            peers += list(map(int, np.flatnonzero(field.house)))
        best: tuple[float, int, int] | None = None
        for index in peers:
            gains = field.gains(index)
            gains[away] = -np.inf
            other = int(np.argmax(gains))
            if np.isfinite(gains[other]) and (best is None or gains[other] > best[0]):
                best = (float(gains[other]), index, other)
        if best is not None:
            return best[1], best[2]
    return None


def in_turn(pool: Sequence[Candidate], spent: Mapping[int, float], places: Places | None = None) -> list[int]:
    """The indices of the versions that ask for games and can begin one, as they are served.

    Those without a first verdict come first, then those whose owner has used least, then those known least.
    """

    def turn(index: int) -> tuple[bool, float, int]:
        one = pool[index]
        return (one.known >= FIRST_PAIRS, spent.get(one.owner, 0.0), one.known)

    asking = (index for index, one in enumerate(pool) if not one.settled)
    return sorted(
        (index for index in asking if places is None or places.may_begin(pool[index].entry)), key=turn
    )
