"""The matches of a fit as arrays: the likelihood's maximum and its curvature, in log odds.

The equations of Newton's method are sparse, and hardly more than the house's bots hold them together. So for
many players they are solved by conjugate gradients (M. Hestenes and E. Stiefel, Journal of Research of the
National Bureau of Standards 49, 1952), with the diagonal as preconditioner.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.fitting import climb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PRIOR_DRAWS: Final = 2.0
VARIANCE_PAIRS: Final = 1.5
MATCH_PAIRS: Final = 40.0
OUTLYING_PAIRS: Final = 2.0
"""Pairs lost or won twice that must be reckoned with where level pairs are all there are (`intervals`)."""

EXACT: Final = 1e-10
"""Log odds by which a rating may miss."""

CLOSE: Final = 1e-5
"""The same where only large differences matter."""

LEAST_WEIGHT: Final = 1e-6
"""The least weight of a match while weights are being found, so that everybody stays connected."""

DENSE: Final = 150
"""Equations of fewer players are solved by elimination."""
MOST_STEPS: Final = 400
RESIDUE: Final = 1e-9
"""What conjugate gradients leave of an error, as a share. Newton's next step takes the rest."""


class MatchTable:
    """The matches as arrays; log-odds units.

    Players in `fixed` stay as far apart as these log odds say, whatever their games tell: they are one
    unknown together, and each other player is one. `place` is each player's unknown, and `offset` how far it
    stands from it.
    """

    def __init__(
        self, players: Sequence[int], matches: Sequence[Match], fixed: Mapping[int, float] | None = None
    ) -> None:
        held = {player: at for player, at in (fixed or {}).items() if player in set(players)}
        middle = sum(held.values()) / max(len(held), 1)
        self.offset = np.array([held.get(player, middle) - middle for player in players])
        free = iter(range(bool(held), len(players) + 1))
        self.held = np.array([player in held for player in players])
        self.place = np.array([0 if player in held else next(free) for player in players])
        self.size = int(self.place.max()) + 1
        index = {player: number for number, player in enumerate(players)}
        one = np.array([index[match.first] for match in matches])
        other = np.array([index[match.second] for match in matches])
        self._players = (one, other)
        self.one, self.other = self.place[one], self.place[other]
        self.apart = self.offset[one] - self.offset[other]
        self._whole = np.array([(match.pairs, match.score, match.total, match.squares) for match in matches])
        self.weigh(np.array([match.weight for match in matches]))

    def weigh(self, weights: Floats) -> None:
        """Set the weight of each match."""
        self.pairs, self.score, self._total, self._squares = (self._whole * weights[:, None]).T
        self.games = 2 * self.pairs
        met = np.bincount(self.one, self.games, self.size) + np.bincount(self.other, self.games, self.size)
        self.prior = PRIOR_DRAWS * self.games * (0.5 / met[self.one] + 0.5 / met[self.other])

    def ratings(self, start: Floats | None = None, close: float = EXACT) -> Floats:
        """Maximum of the penalised likelihood, each connected group with mean 0; `start` is near it."""
        weight = self.games + self.prior
        target = self.score + self.prior / 2

        def step(rating: Floats) -> Floats:
            chance = self._chance(rating)
            gradient = self._scatter(target - weight * chance)
            return self._solve(weight * chance * (1 - chance), gradient)

        return climb(np.zeros(self.size) if start is None else start, step, close)

    def of_players(self, rating: Floats) -> Floats:
        """The ratings of players, given those of unknowns."""
        return np.asarray(rating[self.place] + self.offset)

    def covariance(self, rating: Floats) -> Floats:
        """The sandwich H⁺ J H⁺ with pairs as units, in log odds squared; of players, given the unknowns."""
        inverse, filling = self.sandwich(rating)
        return np.asarray((inverse @ filling @ inverse.T)[np.ix_(self.place, self.place)])

    def sandwich(self, rating: Floats) -> tuple[Floats, Floats]:
        """H⁺, the inverse of the curvature, and J, what independent pairs tell; of unknowns."""
        chance = self._chance(rating)
        bread = self._laplacian((self.games + self.prior) * chance * (1 - chance))
        # A pair of half the weight counts as half a pair, not as a whole pair that we trust by half: what
        # is weighed down is doubted.
        filling = self._laplacian(self.pairs * 2 * chance * (1 - chance) * self.ratios(rating))
        return np.asarray(np.linalg.inv(self._grounded(bread))), filling

    def following(self, rating: Floats) -> Floats:
        """How far each player's rating follows that of each fixed player; a column for each of the `held`."""
        chance = self._chance(rating)
        told = (self.games + self.prior) * chance * (1 - chance)
        column = np.cumsum(self.held) - 1
        towards = np.zeros((self.size, int(self.held.sum())))
        for mine, his in (self._players, self._players[::-1]):
            met = self.held[his]
            np.add.at(towards, (self.place[mine[met]], column[his[met]]), told[met])
        near = next(group for group in self.groups if 0 in group)
        free = near[near != 0]
        moved = np.zeros_like(towards)
        moved[free] = np.linalg.solve(self._laplacian(told)[np.ix_(free, free)], towards[free])
        follows: Floats = moved[self.place]
        follows[self.held] = np.eye(towards.shape[1])
        return follows

    def ratios(self, rating: Floats) -> Floats:
        """Return how much the pairs of each match vary, compared with two independent games."""
        chance = self._chance(rating)
        squares = self._squares - 4 * chance * self._total + 4 * chance**2 * self.pairs
        # Pairs in which the better bot wins both games as good as always tell little about the variance: each
        # counts by its expected variance, a half for equal bots.
        expected = self.pairs * 2 * chance * (1 - chance)
        common = (2 * squares.sum() + VARIANCE_PAIRS) / (2 * expected.sum() + VARIANCE_PAIRS)
        found = (2 * squares + MATCH_PAIRS * common) / (2 * expected + MATCH_PAIRS)
        least = OUTLYING_PAIRS / (expected.sum() + OUTLYING_PAIRS)
        return np.asarray(np.maximum(found, least))

    def freedom(self, rating: Floats) -> float:
        """Return the degrees of freedom of the variance that all matches have in common.

        The square of a pair of equals is 0 or 1 like a coin, which varies half as much as that of a normal
        variable: a pair counts as two.
        """
        chance = self._chance(rating)
        return VARIANCE_PAIRS + 4 * float((self.pairs * 2 * chance * (1 - chance)).sum())

    @cached_property
    def groups(self) -> list[NDArray[np.intp]]:
        """The indices of each connected group of unknowns."""
        label = np.arange(self.size)
        while True:
            least = label.copy()
            np.minimum.at(least, self.one, label[self.other])
            np.minimum.at(least, self.other, label[self.one])
            least = least[least]
            if np.array_equal(least, label):
                break
            label = least
        return [np.flatnonzero(label == name) for name in np.unique(label)]

    def _chance(self, rating: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(rating[self.other] - rating[self.one] - self.apart)))

    def _scatter(self, values: Floats) -> Floats:
        found = np.bincount(self.one, values, self.size) - np.bincount(self.other, values, self.size)
        return np.asarray(found)

    def _laplacian(self, weight: Floats) -> Floats:
        flat = np.bincount(self.one * self.size + self.other, -weight, self.size**2)
        matrix = flat.reshape(self.size, self.size)
        matrix = matrix + matrix.T
        matrix[np.diag_indices(self.size)] -= matrix.sum(axis=1)
        return np.asarray(matrix)

    def _grounded(self, laplacian: Floats) -> Floats:
        """Return the Laplacian made regular.

        In each group only differences matter, so its mean is fixed at 0.
        """
        matrix = laplacian.copy()
        for group in self.groups:
            matrix[np.ix_(group, group)] += 1 / len(group)
        return matrix

    def _solve(self, weight: Floats, gradient: Floats) -> Floats:
        """The step of mean 0 in each group that takes the gradient away, given each match's curvature."""
        if self.size < DENSE:
            return np.asarray(np.linalg.solve(self._grounded(self._laplacian(weight)), gradient))
        diagonal = np.bincount(self.one, weight, self.size) + np.bincount(self.other, weight, self.size)
        found, left = np.zeros(self.size), gradient.copy()
        scaled = left / diagonal
        direction, size = scaled, float(left @ scaled)
        goal = max(size * RESIDUE**2, EXACT**2 / 100)
        for _ in range(MOST_STEPS):
            if size <= goal:
                break
            curved = self._scatter(weight * (direction[self.one] - direction[self.other]))
            length = size / float(direction @ curved)
            found += length * direction
            left -= length * curved
            scaled = left / diagonal
            before, size = size, float(left @ scaled)
            direction = scaled + size / before * direction
        else:  # a long chain of players, perhaps
            return np.asarray(np.linalg.solve(self._grounded(self._laplacian(weight)), gradient))
        for group in self.groups:
            found[group] -= found[group].mean()
        return found


class Refitter:
    """Rates the same matches with different weights, faster than `fit`; `fixed` as for `MatchTable`."""

    def __init__(self, matches: Sequence[Match], fixed: Mapping[int, float] | None = None) -> None:
        self.players = tuple(
            dict.fromkeys(player for match in matches for player in (match.first, match.second))
        )
        self._table = MatchTable(self.players, matches, fixed)

    def strengths(
        self,
        weights: Floats,
        start: Floats | None = None,
        close: float = CLOSE,
    ) -> Floats:
        """The ratings in log odds, each connected group about any mean, in the order of `players`."""
        self._table.weigh(np.maximum(weights, LEAST_WEIGHT))
        near = None
        if start is not None:
            near = np.zeros(self._table.size)
            near[self._table.place] = start - self._table.offset
        return self._table.of_players(self._table.ratings(near, close))


@dataclass(frozen=True, slots=True)
class Match:
    """All accepted pairs of two players: `penta[k]` pairs in which `first` scored k of 4 half points.

    Each pair counts as `weight` pairs, from 0 to 1. `fair` is the sum of the pairs' scores without luck, from
    0 to 2 each on average, and the sum of their squares; None where results count as they are.
    """

    first: int
    second: int
    penta: tuple[int, int, int, int, int]
    weight: float = 1.0
    fair: tuple[float, float] | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.penta)

    @property
    def total(self) -> float:
        """The points of `first`; without luck they may be fewer than none, or more than there are."""
        return self.fair[0] if self.fair else sum(k * count for k, count in enumerate(self.penta)) / 2

    @property
    def squares(self) -> float:
        """The sum of the squares of its points in each pair."""
        return self.fair[1] if self.fair else sum(k * k * count for k, count in enumerate(self.penta)) / 4

    @property
    def score(self) -> float:
        """Its points as they count: no strength explains fewer than none, or more than there are."""
        return min(max(self.total, 0.0), 2.0 * self.pairs)
