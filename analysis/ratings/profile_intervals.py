"""Intervals of ratings that hold where the normal approximation does not.

Of a bot that won sixteen games of sixteen one knows that it is much stronger, not by how much: its interval
has no upper end. For each player the rating is moved and all others follow as their covariance says, which to
first order keeps the likelihood as high as it can be (D. Bates and D. Watts, Nonlinear Regression Analysis,
1988, chapter 6). The player's own games are counted exactly, all others by their curvature. An end is where
the games begin to speak against the rating by the score test (E. Wilson, Journal of the American Statistical
Association 22, 1927), scaled by how much more or less pairs vary than independent games would (R. Chandler
and S. Bate, Biometrika 94, 2007), with the quantile of Student's t where few pairs tell that. Where hardly a
game would be lost at that end, the score test says too much: there the end is that of the profile likelihood,
if that is farther away. The imagined draws that keep every rating finite have no part in it.

All players are reckoned at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import SCALE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Fit
    from analysis.ratings.match_arrays import Match

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

FARTHEST: Final = 4000.0 / SCALE
"""An end further than this from the estimate counts as infinite."""

STEPS: Final = 60
CLOSE: Final = 1e-4

AT_ONCE: Final = 1024
"""Matches whose differences are reckoned together, so that they stay in the processor's cache."""

LITTLE: Final = 0.25
"""Games x p (1 - p): about so many games would be lost where the score test is not trusted."""


def ends(fitted: Fit, matches: Sequence[Match]) -> dict[int, tuple[float, float]]:
    """Return the lower and upper end of each player's 95 % interval in Elo; an open end is infinite.

    `matches` are those of the fit, with their weights.
    """
    played = [match for match in matches if match.pairs and match.weight > 0]
    if not played:
        return {}
    elo = np.array([estimate.elo for estimate in fitted.estimates])
    likelihoods = _Likelihoods(fitted, played, elo / SCALE)
    low, high = likelihoods.ends()
    exact = np.diag(fitted.covariance) <= 1e-12 * SCALE**2
    low, high = np.where(exact, 0.0, low), np.where(exact, 0.0, high)
    return {
        player: (float(elo[place] + low[place] * SCALE), float(elo[place] + high[place] * SCALE))
        for place, player in enumerate(fitted.players)
    }


class _Likelihoods:
    """The likelihoods of each player's own games when its rating is moved by t, in log odds.

    `moves` is how far the difference of each own match follows, `rest` the curvature of all other matches,
    and `scale` how much more pairs vary than independent games. Each match is one row for either side.
    """

    def __init__(self, fitted: Fit, played: Sequence[Match], rating: Floats) -> None:
        index = {player: number for number, player in enumerate(fitted.players)}
        one = np.array([index[match.first] for match in played])
        other = np.array([index[match.second] for match in played])
        weight = np.array([match.weight for match in played])
        score = weight * np.array([match.score for match in played])
        games = weight * np.array([2.0 * match.pairs for match in played])
        self.size = len(index)
        self.who = np.concatenate([one, other])
        covariance = fitted.covariance / SCALE**2
        # How far the row's player follows when the column's is moved.
        follows = covariance / np.maximum(np.diag(covariance), 1e-12)
        self.apart = np.concatenate([rating[one] - rating[other]] * 2)
        self.moves = follows[np.tile(one, 2), self.who] - follows[np.tile(other, 2), self.who]
        self.games = np.tile(games, 2)
        self.score = np.tile(score, 2)
        chance = 1 / (1 + np.exp(rating[other] - rating[one]))
        told = games * chance * (1 - chance)
        whole, spread = _curvatures(follows, one, other, np.stack([told, told * fitted.ratios]))
        self.scale: Floats = spread / np.maximum(whole, 1e-300)
        if fitted.stretch is not None:
            self.scale = self.scale * fitted.stretch
        if fitted.inherits:  # games do not tell so much together as if those measured could follow
            whole = np.minimum(whole, self.scale / np.maximum(np.diag(covariance), 1e-12))
        self.rest: Floats = np.maximum(whole - self._sum(np.tile(told, 2) * self.moves**2), 0.0)
        self.reach = fitted.reach

    def _sum(self, rows: Floats) -> Floats:
        return np.asarray(np.bincount(self.who, rows, self.size))

    def value(self, t: Floats) -> Floats:
        """The log-likelihoods."""
        at = self.apart + self.moves * t[self.who]
        won, lost = -np.logaddexp(0, -at), -np.logaddexp(0, at)
        return self._sum(self.score * won + (self.games - self.score) * lost) - self.rest * t * t / 2

    def slope(self, t: Floats) -> Floats:
        """Their derivatives."""
        chance = 1 / (1 + np.exp(-self.apart - self.moves * t[self.who]))
        return self._sum(self.moves * (self.score - self.games * chance)) - self.rest * t

    def curvature(self, t: Floats) -> Floats:
        """What they are curved by, which is also the variance of the slope for independent games."""
        chance = 1 / (1 + np.exp(-self.apart - self.moves * t[self.who]))
        return self._sum(self.moves**2 * self.games * chance * (1 - chance)) + self.rest

    def ends(self) -> tuple[Floats, Floats]:
        """How far each rating can be moved down and up before the games speak against it."""
        edge = np.full(self.size, FARTHEST)
        top = _crossing(lambda t: self.slope(t) > 0, -edge, edge)
        least = self.value(top) - self.reach**2 * self.scale / 2

        def told_against(t: Floats) -> Flags:
            return np.asarray(self.slope(t) ** 2 > self.reach**2 * self.scale * self.curvature(t))

        def unlikely(t: Floats) -> Flags:
            return np.asarray(self.value(t) < least)

        found = []
        for far in (-edge, edge):
            by_score, by_ratio = self._end(told_against, top, far), self._end(unlikely, top, far)
            finite = np.isfinite(by_score)
            little = self.curvature(np.where(finite, by_score, top)) < LITTLE
            farther = np.where(np.abs(by_ratio - top) > np.abs(by_score - top), by_ratio, by_score)
            found.append(np.where(little & finite, farther, by_score))
        return found[0], found[1]

    def _end(self, against: Callable[[Floats], Flags], top: Floats, far: Floats) -> Floats:
        """Where a test begins to speak against a rating on the way to `far`; infinite if it never does."""
        never = ~against(far)
        found = _crossing(lambda t: ~against(t), top, far)
        return np.where(never, np.sign(far) * np.inf, found)


def _curvatures(follows: Floats, one: NDArray[np.intp], other: NDArray[np.intp], told: Floats) -> Floats:
    """For each row of `told` and each player: what all matches tell times how far they follow, squared."""
    found = np.zeros((len(told), len(follows)))
    for first in range(0, len(one), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        found += told[:, some] @ (follows[one[some]] - follows[other[some]]) ** 2
    return found


def _crossing(holds: Callable[[Floats], Flags], start: Floats, far: Floats) -> Floats:
    """Where what holds at `start` holds no more on the way to `far`, by bisection."""
    near, beyond = start.copy(), far.copy()
    for _ in range(STEPS):
        middle = (near + beyond) / 2
        still = holds(middle)
        near, beyond = np.where(still, middle, near), np.where(still, beyond, middle)
        if np.max(np.abs(beyond - near)) < CLOSE:
            break
    return (near + beyond) / 2
