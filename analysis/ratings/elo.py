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
from typing import TYPE_CHECKING, Final

from analysis import intervals
from analysis.lazy_numpy import np
from analysis.ratings.fitting import anchor_ratings
from analysis.ratings.match_arrays import VARIANCE_PAIRS, MatchTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.match_arrays import Match


SCALE: Final = 400 / math.log(10)
"""Elo for one unit of log odds."""

ANCHOR_ELO: Final = 1500.0


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
    degrees of freedom all of them together tell that. `inherits`: whether errors contain those of players who
    were `measured` by other games. `stretch` is by what factor each player's variance is larger than `ratios`
    say, because pairs shared deals.
    """

    players: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    covariance: NDArray[np.float64]
    ratios: NDArray[np.float64]
    freedom: float
    inherits: bool = False
    stretch: NDArray[np.float64] | None = None

    @property
    def reach(self) -> float:
        """Half the width of a 95 % interval in standard errors: 1.96 once there are many pairs."""
        return intervals.quantile(0.975, self.freedom)

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


def fit(
    matches: Iterable[Match], anchors: Mapping[int, float] | None = None, measured: Fit | None = None
) -> Fit:
    """Rate everyone who appears in `matches`.

    `anchors` are players with the Elo they were given once and for all. Their games tell how strong the
    others are, and nothing about themselves: else whoever throws games to one anchor moved everybody who met
    it. Players not connected to any anchor stand about 1500. Players who are `measured` by other games are
    treated the same way, but what is not known about them is part of everybody's errors.
    """
    played = [match for match in matches if match.pairs and match.weight > 0]
    players = tuple(dict.fromkeys(player for match in played for player in (match.first, match.second)))
    if not players:
        return Fit((), (), np.zeros((0, 0)), np.zeros(0), VARIANCE_PAIRS)
    known = {**({} if measured is None else anchored_ratings(measured)), **(anchors or {})}
    table = MatchTable(players, played, {player: elo / SCALE for player, elo in known.items()})
    strengths = table.ratings()
    ratings, covariance = table.of_players(strengths) * SCALE, table.covariance(strengths) * SCALE**2
    groups = [np.flatnonzero(np.isin(table.place, group)) for group in table.groups]
    held = anchor_ratings(players, groups, ratings, covariance, known, otherwise=ANCHOR_ELO)
    for index in (index for index, player in enumerate(players) if player in known):
        ratings[index] = known[players[index]]  # but for rounding, it is so
        covariance[index, :] = covariance[:, index] = 0.0
    rulers = [player for player, held in zip(players, table.held, strict=True) if held]
    doubt = np.zeros((0, 0)) if measured is None else _doubt(measured, rulers)
    if doubt.any():
        follows = table.following(strengths)
        covariance += follows @ doubt @ follows.T
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    estimates = tuple(
        Estimate(float(elo), float(error), bool(one))
        for elo, error, one in zip(ratings, errors, held, strict=True)
    )
    return Fit(
        players, estimates, covariance, table.ratios(strengths), table.freedom(strengths), bool(doubt.any())
    )


def anchored_ratings(measured: Fit) -> dict[int, float]:
    """The ratings of those who are connected to an anchor."""
    rated = zip(measured.players, measured.estimates, strict=True)
    return {player: one.elo for player, one in rated if one.anchored}


def _doubt(measured: Fit, players: Sequence[int]) -> NDArray[np.float64]:
    """The covariance of those who were measured, in the order of `players`; 0 for all others."""
    place = {player: index for index, player in enumerate(measured.players)}
    here = [index for index, player in enumerate(players) if player in place]
    there = [place[players[index]] for index in here]
    found = np.zeros((len(players), len(players)))
    found[np.ix_(here, here)] = measured.covariance[np.ix_(there, there)]
    return found
