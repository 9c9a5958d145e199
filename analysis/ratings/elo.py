"""Elo by a batch fit of the Bradley-Terry model, with standard errors that account for pairs.

The probability that i beats j is 1 / (1 + 10^(-(R_i - R_j) / 400)) (Bradley and Terry, Biometrika 39, 1952,
on the Elo scale); a draw counts as half a win. Maximum likelihood by Newton's method. As in BayesElo (R.
Coulom, 2005), each version gets `PRIOR_DRAWS` imagined draws, spread over its opponents like its games, so
that even a bot that lost every game has a rating.

The two games of a pair share a deal and are not independent, so the errors are of the sandwich kind (H.
White, Econometrica 50, 1982) with the pair as the unit: for each match the variance of a pair's score about
its expectation is measured. A few pairs are not enough for that, so it is pulled towards the variance of all
matches together, which counts like `MATCH_PAIRS` pairs. That variance in turn is pulled towards that of two
independent games, which counts like `VARIANCE_PAIRS`. Twins that always win one leg each have little
variance, but never none. The variance of a few pairs is a guess: `Fit.freedom` says how good a guess, as the
degrees of freedom of Student's t (W. Gosset, Biometrika 6, 1908).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis import student

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

SCALE: Final = 400 / math.log(10)
"""Elo for one unit of log odds."""

PRIOR_DRAWS: Final = 2.0
VARIANCE_PAIRS: Final = 1.5
MATCH_PAIRS: Final = 40.0
ANCHOR_ELO: Final = 1500.0
LEAST_WEIGHT: Final = 1e-6
"""The least weight of a match while weights are being found, so that everybody stays connected."""

EXACT: Final = 1e-10
"""Log odds by which a rating may miss."""

CLOSE: Final = 1e-5
"""The same where only large differences matter."""


@dataclass(frozen=True, slots=True)
class Match:
    """All accepted pairs of two players: `penta[k]` pairs in which `first` scored k of 4 half points.

    Each pair counts as `weight` pairs, from 0 to 1.
    """

    first: int
    second: int
    penta: tuple[int, int, int, int, int]
    weight: float = 1.0

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.penta)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A player's Elo; `error` is one standard error against the anchors' (or its group's) mean, in Elo."""

    elo: float
    error: float
    anchored: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings of all players, who are known by number.

    `covariance` is that of the estimates in Elo², in the order of `players`. `ratios` says, for each match
    that counted, how much its pairs' scores vary compared with independent games, and `freedom` with how many
    degrees of freedom all of them together tell that.
    """

    players: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    covariance: NDArray[np.float64]
    ratios: NDArray[np.float64]
    freedom: float

    @property
    def reach(self) -> float:
        """Half the width of a 95 % interval in standard errors: 1.96 once there are many pairs."""
        return student.quantile(0.975, self.freedom)

    def estimate(self, player: int) -> Estimate:
        """The estimate of one player; KeyError if it has no accepted pair."""
        try:
            return self.estimates[self.players.index(player)]
        except ValueError:
            raise KeyError(player) from None

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that `one` is stronger than `other`, by the normal approximation."""
        i, j = self.players.index(one), self.players.index(other)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return normal_cdf(
            (self.estimates[i].elo - self.estimates[j].elo) / math.sqrt(max(float(variance), 1e-12))
        )


def normal_cdf(x: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def expectation(difference: float) -> float:
    """Return the expected score of a player who is `difference` Elo stronger."""
    return float(1 / (1 + math.exp(-difference / SCALE)))


def elo_difference(score: float) -> float:
    """Return the Elo difference for an expected score (0 … 1) per game: the inverse of `expectation`.

    Scores are limited to 0.001 … 0.999: beyond, they say "more than 1,200", but not how much more.
    """
    kept = min(max(score, 0.001), 0.999)
    return SCALE * math.log(kept / (1 - kept))


def fit(
    matches: Iterable[Match],
    anchors: Mapping[int, float] | None = None,
    start: Mapping[int, float] | None = None,
) -> Fit:
    """Rate everyone who appears in `matches`.

    `anchors` are players with the Elo they were given once and for all. The scale is moved so that the
    anchors that play stand, on average, where they were put: a single one exactly there. Players not
    connected to any anchor stand about 1500. `start` are ratings to begin the search at.
    """
    known = anchors or {}
    played = [match for match in matches if match.pairs and match.weight > 0]
    players = tuple(dict.fromkeys(player for match in played for player in (match.first, match.second)))
    if not players:
        return Fit((), (), np.zeros((0, 0)), np.zeros(0), VARIANCE_PAIRS)
    table = _Table(players, played)
    near = None
    if start:
        near = np.array([start.get(player, ANCHOR_ELO) - ANCHOR_ELO for player in players]) / SCALE
    ratings = table.ratings(near) * SCALE
    covariance = table.covariance(ratings / SCALE) * SCALE**2
    ratios, freedom = table.ratios(ratings / SCALE), table.freedom(ratings / SCALE)
    anchored = np.zeros(len(players), dtype=bool)
    for group in table.groups:
        held = np.array([players[index] in known for index in group], dtype=np.float64)
        anchored[group] = held.any()
        weights = held / held.sum() if held.any() else np.full(len(group), 1 / len(group))
        at = np.array([known.get(players[index], ANCHOR_ELO) for index in group])
        # The same shift for the values and, as a matrix, for their covariance.
        ratings[group] += weights @ (at - ratings[group])
        moved = covariance[np.ix_(group, group)]
        moved = moved - np.outer(np.ones(len(group)), weights @ moved)
        covariance[np.ix_(group, group)] = moved - np.outer(moved @ weights, np.ones(len(group)))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    estimates = tuple(
        Estimate(float(elo), float(error), bool(known))
        for elo, error, known in zip(ratings, errors, anchored, strict=True)
    )
    return Fit(players, estimates, covariance, ratios, freedom)


class Solver:
    """Rates the same matches with different weights, faster than `fit`."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.players = tuple(
            dict.fromkeys(player for match in matches for player in (match.first, match.second))
        )
        self._table = _Table(self.players, list(matches))

    def strengths(
        self,
        weights: NDArray[np.float64],
        start: NDArray[np.float64] | None = None,
        close: float = CLOSE,
    ) -> NDArray[np.float64]:
        """The ratings in log odds relative to the mean of each connected group, in the order of `players`."""
        self._table.weigh(np.maximum(weights, LEAST_WEIGHT))
        return self._table.ratings(start, close)


class _Table:
    """The matches as arrays over player indices; log-odds units."""

    def __init__(self, players: tuple[int, ...], matches: list[Match]) -> None:
        index = {player: number for number, player in enumerate(players)}
        self.size = len(players)
        self.one = np.array([index[match.first] for match in matches])
        self.other = np.array([index[match.second] for match in matches])
        self.penta = np.array([match.penta for match in matches], dtype=np.float64)
        self._whole = self.penta
        self.weigh(np.array([match.weight for match in matches]))

    def weigh(self, weights: NDArray[np.float64]) -> None:
        """Set the weight of each match."""
        self.penta = self._whole * weights[:, None]
        self.pairs = self.penta.sum(axis=1)
        self.games = 2 * self.pairs
        self.score = self.penta @ np.array([0, 0.5, 1, 1.5, 2])
        met = np.bincount(self.one, self.games, self.size) + np.bincount(self.other, self.games, self.size)
        self.prior = PRIOR_DRAWS * self.games * (0.5 / met[self.one] + 0.5 / met[self.other])

    def ratings(self, start: NDArray[np.float64] | None = None, close: float = EXACT) -> NDArray[np.float64]:
        """Maximum of the penalised likelihood, each connected group with mean 0; `start` is near it."""
        rating = np.zeros(self.size) if start is None else start.copy()
        weight = self.games + self.prior
        target = self.score + self.prior / 2
        for _ in range(100):
            chance = self._chance(rating)
            gradient = self._scatter(target - weight * chance)
            step = self._solve(self._laplacian(weight * chance * (1 - chance)), gradient)
            largest = float(np.max(np.abs(step)))
            rating += step * min(1.0, 2.0 / max(largest, 1e-300))
            if largest < close:
                break
        return rating

    def covariance(self, rating: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sandwich H⁺ J H⁺ with pairs as units, in log odds squared."""
        chance = self._chance(rating)
        bread = self._laplacian((self.games + self.prior) * chance * (1 - chance))
        # A pair of half the weight counts as half a pair, not as a whole pair that we trust by half: what
        # is weighed down is doubted.
        filling = self._laplacian(self.pairs * 2 * chance * (1 - chance) * self.ratios(rating))
        inverse = np.linalg.inv(self._grounded(bread))
        return np.asarray(inverse @ filling @ inverse.T)

    def ratios(self, rating: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how much the pairs of each match vary, compared with two independent games."""
        chance = self._chance(rating)
        scores = np.array([0, 0.5, 1, 1.5, 2])
        squares = (self.penta * (scores[None, :] - 2 * chance[:, None]) ** 2).sum(axis=1)
        # Pairs in which the better bot wins both games as good as always tell little about the variance: each
        # counts by its expected variance, a half for equal bots.
        expected = self.pairs * 2 * chance * (1 - chance)
        common = (2 * squares.sum() + VARIANCE_PAIRS) / (2 * expected.sum() + VARIANCE_PAIRS)
        return np.asarray((2 * squares + MATCH_PAIRS * common) / (2 * expected + MATCH_PAIRS))

    def freedom(self, rating: NDArray[np.float64]) -> float:
        """Return the degrees of freedom of the variance that all matches have in common.

        The square of a pair of equals is 0 or 1 like a coin, which varies half as much as that of a normal
        variable: a pair counts as two.
        """
        chance = self._chance(rating)
        return VARIANCE_PAIRS + 4 * float((self.pairs * 2 * chance * (1 - chance)).sum())

    @cached_property
    def groups(self) -> list[NDArray[np.intp]]:
        """The indices of each connected group of players."""
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

    def _chance(self, rating: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(1 / (1 + np.exp(rating[self.other] - rating[self.one])))

    def _scatter(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.bincount(self.one, values, self.size) - np.bincount(self.other, values, self.size)
        return np.asarray(found)

    def _laplacian(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        flat = np.bincount(self.one * self.size + self.other, -weight, self.size**2)
        matrix = flat.reshape(self.size, self.size)
        matrix = matrix + matrix.T
        matrix[np.diag_indices(self.size)] -= matrix.sum(axis=1)
        return np.asarray(matrix)

    def _grounded(self, laplacian: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the Laplacian made regular.

        In each group only differences matter, so its mean is fixed at 0.
        """
        matrix = laplacian.copy()
        for group in self.groups:
            matrix[np.ix_(group, group)] += 1 / len(group)
        return matrix

    def _solve(self, laplacian: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.linalg.solve(self._grounded(laplacian), gradient))
