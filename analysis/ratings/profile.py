"""Intervals of ratings by profile likelihood, which hold where the normal approximation does not.

If a bot won sixteen games of sixteen, we know that it is much stronger, but not by how much: its interval has
no upper end. The rating of each player is moved, and all others follow according to their covariance, which
to first order keeps the likelihood at its maximum (D. Bates and D. Watts, Nonlinear Regression Analysis,
1988, chapter 6). The player's own games are counted exactly, all others by their curvature. The drop of the
likelihood is compared with the chi-squared quantile, scaled by how much more or less pairs vary than
independent games would (R. Chandler and S. Bate, Biometrika 94, 2007). The imagined draws that keep every
rating finite have no part in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.intervals import Z95
from analysis.ratings.elo import SCALE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Fit, Match

    Floats = NDArray[np.float64]

FARTHEST: Final = 4000.0 / SCALE
"""An end further than this from the estimate counts as infinite."""

STEPS: Final = 60


def ends(fitted: Fit, matches: Sequence[Match]) -> dict[int, tuple[float, float]]:
    """Return the lower and upper end of each player's 95 % interval in Elo; an open end is infinite.

    `matches` are those of the fit, with their weights.
    """
    index = {player: number for number, player in enumerate(fitted.players)}
    played = [match for match in matches if match.pairs and match.weight > 0]
    if not played:
        return {}
    one = np.array([index[match.first] for match in played])
    other = np.array([index[match.second] for match in played])
    rating = np.array([estimate.elo for estimate in fitted.estimates]) / SCALE
    weight = np.array([match.weight for match in played])
    games = weight * np.array([2.0 * match.pairs for match in played])
    halves = np.array([sum(k * count for k, count in enumerate(match.penta)) for match in played])
    score = weight * halves / 2
    apart = rating[one] - rating[other]
    chance = 1 / (1 + np.exp(-apart))
    told = games * chance * (1 - chance)
    covariance = fitted.covariance / SCALE**2
    spread = told * np.array(fitted.ratios)
    found: dict[int, tuple[float, float]] = {}
    for player, number in index.items():
        variance = float(covariance[number, number])
        elo = fitted.estimates[number].elo
        if variance <= 1e-12:
            found[player] = (elo, elo)
            continue
        follows = covariance[number] / variance
        moves = follows[one] - follows[other]
        own = (one == number) | (other == number)
        curvature = float((told * moves**2).sum())
        scale = float((spread * moves**2).sum()) / curvature
        likelihood = _Likelihood(
            apart[own], moves[own], score[own], games[own], float((told * moves**2)[~own].sum()), scale
        )
        low, high = likelihood.ends()
        found[player] = (elo + low * SCALE, elo + high * SCALE)
    return found


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """The likelihood of a player's own games when its rating is moved by t, in log odds.

    `moves` is how far the difference of each match follows, `rest` the curvature of all other matches, and
    `scale` how much more pairs vary than independent games.
    """

    apart: Floats
    moves: Floats
    score: Floats
    games: Floats
    rest: float
    scale: float

    def value(self, t: float) -> float:
        """The log-likelihood."""
        at = self.apart + self.moves * t
        won, lost = -np.logaddexp(0, -at), -np.logaddexp(0, at)
        return float((self.score * won + (self.games - self.score) * lost).sum()) - self.rest * t * t / 2

    def slope(self, t: float) -> float:
        """Its derivative."""
        chance = 1 / (1 + np.exp(-self.apart - self.moves * t))
        return float((self.moves * (self.score - self.games * chance)).sum()) - self.rest * t

    def curvature(self, t: float) -> float:
        """Its curvature, which is also the variance of the slope for independent games."""
        chance = 1 / (1 + np.exp(-self.apart - self.moves * t))
        return float((self.moves**2 * self.games * chance * (1 - chance)).sum()) + self.rest

    def ends(self) -> tuple[float, float]:
        """Return how far the rating can move down and up before the games contradict it.

        The likelihood ratio alone is short where few games are lost, the score test alone (E. Wilson, Journal
        of the American Statistical Association 22, 1927) where one is: a value is kept if either keeps it.
        """
        top = _crossing(self.slope, -FARTHEST, FARTHEST)
        least = self.value(top) - Z95**2 * self.scale / 2

        def against(t: float) -> bool:
            unlikely = self.value(t) < least
            return unlikely and self.slope(t) ** 2 > Z95**2 * self.scale * self.curvature(t)

        def above(t: float) -> float:
            return -1.0 if against(t) else 1.0

        low = -math.inf if above(-FARTHEST) > 0 else _crossing(lambda t: -above(t), -FARTHEST, top)
        high = math.inf if above(FARTHEST) > 0 else _crossing(above, top, FARTHEST)
        return low, high


def _crossing(falls: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that falls from `low` to `high` changes its sign, by bisection."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        if falls(middle) > 0:
            low = middle
        else:
            high = middle
        if high - low < 1e-4:
            break
    return (low + high) / 2
