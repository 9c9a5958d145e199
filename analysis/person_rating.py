"""A person's rating on the scale of the bots, from single games against bots whose ratings are known.

*The model.* A person of rating R scores p = 1 / (1 + 10^(-(R - r) / 400)) on average against a bot of rating
r, a draw counting half: that of the ladder (`elo`), so both are on one scale. The bots' ratings are given:
no game of a person moves them.

*Luck.* Bots play each deal from both seats, which takes the luck of the deal away. A person plays it once. So
from each game whose luck is known its luck is subtracted (`luck.measurement`, after AIVAT), in the share that
the person's earlier games support (`luck.subtracted_share`). What is left has the mean of the result,
whatever the person does, resigning included, and mostly varies less. By how much is `spread`: the squared
residuals with the luck subtracted over those without, pulled towards 1, which counts like `SPREAD_GAMES`
games. The log-likelihood is divided by it (quasi-likelihood: R. Wedderburn, Biometrika 61, 1974).

*Farming.* A difference of more than `FARTHEST` counts as that, as in FIDE's rules (Handbook B.02, 8.3.1):
beyond it the likelihood is flat. So no number of wins against a bot tells more than that the person is at
least 400 above it, and ratings far from all opponents rest on no extrapolation.

*The interval* is the middle 95 % of the posterior on a grid, the rating its median. The prior is normal, with
a standard deviation of `PRIOR_ERROR`, which tells as much as half a game between equals. So everything stays
finite where all games were won or lost. An end at which the likelihood does not fall by 1.92 (half the 95 %
quantile of χ² with one degree of freedom) is the prior's alone and is left open.
In simulations the interval covered the truth in 94.5 to 97.5 % without luck, and in 98 to 99.8 % where much
luck is subtracted: there it is wider than it need be.

*What is not known of the bots* is integrated out: all their ratings are moved together by one standard normal
variable times their standard errors. That is the most that any correlation between their errors can do to R
(the Cauchy-Schwarz inequality), as all move R in the same direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.luck.subtracted_share import adjust_pairs
from analysis.ratings.elo import ANCHOR_ELO, SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FARTHEST: Final = 400.0
PRIOR_ERROR: Final = 500.0
SPREAD_GAMES: Final = 10
STEP: Final = 4.0
"""Elo from a point of the grid to the next."""
ROOM: Final = 5 * PRIOR_ERROR
FALL: Final = 1.920729410347062
MOVES: Final = 9
"""The points of the Gauss-Hermite rule over which the bots' ratings are moved."""


@dataclass(frozen=True, slots=True)
class PersonGame:
    """One game: the opponent's Elo with its standard error, the person's score from 0 to 1, and the luck in
    that score, None where it is not known."""

    elo: float
    error: float
    score: float
    luck: float | None = None


@dataclass(frozen=True, slots=True)
class PersonEstimate:
    """A rating with the ends of its 95 % interval in Elo; an end is None if the games leave it open.

    `spread` is by what factor the results vary more than without luck subtracted.
    """

    elo: float
    low: float | None
    high: float | None
    spread: float


def person_estimate(games: Sequence[PersonGame]) -> PersonEstimate:
    """The rating of a person by these games, which are in the order in which they were played.

    Raises ValueError without games.
    """
    if not games:
        raise ValueError("expected at least one game")
    elo = np.array([game.elo for game in games])
    error = np.array([game.error for game in games])
    raw = np.array([game.score for game in games])
    scores = without_luck(games)
    grid = np.arange(
        min(float(elo.min()), ANCHOR_ELO) - ROOM, max(float(elo.max()), ANCHOR_ELO) + ROOM + STEP, STEP
    )
    prior = -0.5 * ((grid - ANCHOR_ELO) / PRIOR_ERROR) ** 2
    still = _likelihood(grid, elo, scores)
    spread = _spread(float(grid[np.argmax(still + prior)]), elo, raw, scores)
    moves, weights = np.polynomial.hermite_e.hermegauss(MOVES)
    joint = np.stack([_likelihood(grid, elo + move * error, scores) / spread for move in moves]) + prior
    posterior = np.exp(joint - joint.max()) * weights[:, None]
    summed = np.cumsum(posterior.sum(axis=0))
    low, middle, high = np.interp(np.array([0.025, 0.5, 0.975]) * summed[-1], summed, grid)
    falls = still.max() / spread - still / spread
    return PersonEstimate(
        float(middle),
        float(low) if falls[0] >= FALL else None,
        float(high) if falls[-1] >= FALL else None,
        spread,
    )


def without_luck(games: Sequence[PersonGame]) -> Floats:
    """The scores, without luck where it is known: each share follows from earlier games alone."""
    scores = np.array([game.score for game in games])
    known = [place for place, game in enumerate(games) if game.luck is not None]
    told = [(2 * games[place].score - 1, 2 * (games[place].luck or 0.0)) for place in known]
    for place, value in zip(known, adjust_pairs(told), strict=True):
        scores[place] = (value + 1) / 2
    return scores


def _apart(person: Floats, elo: Floats) -> Floats:
    """The differences that count, in log odds."""
    return np.clip(person - elo, -FARTHEST, FARTHEST) / SCALE


def _likelihood(grid: Floats, elo: Floats, scores: Floats) -> Floats:
    """The log-likelihood at each point of the grid."""
    found = np.zeros_like(grid)
    for one in np.unique(elo):
        own = scores[elo == one]
        apart = _apart(grid, one)
        found += own.sum() * apart - len(own) * np.logaddexp(0, apart)
    return found


def _spread(person: float, elo: Floats, raw: Floats, scores: Floats) -> float:
    chance = 1 / (1 + np.exp(-_apart(np.array(person), elo)))
    pull = SPREAD_GAMES * float(np.mean(chance * (1 - chance)))
    return float((np.sum((scores - chance) ** 2) + pull) / (np.sum((raw - chance) ** 2) + pull))
