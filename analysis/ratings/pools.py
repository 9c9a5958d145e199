"""Decides what counts in a rated pool, and how much, so that a second account cannot buy rating.

Three rules, applied to matches between versions whose owners are known (0 is the house, whose bots are the
arena's own and whose games are scheduled by nobody else):

1. Two bots of one owner, or of accounts that staff linked, are never rated against each other.
2. **A tenth at most.** Of the information about a bot, games x p (1 - p) at the ratings found, no more than
   `MOST_FROM_ONE` may come from the bots of one other owner, the house excepted, or one pair's worth where
   that is more. All authors together may contribute no more than the house does. Any excess is removed
   by giving the pairs less weight.
3. **Games against the house come first.** The fit begins with the games against the house; games between
   authors join it with a weight that falls where a bot's results against one owner contradict the rest by
   more than `DOUBT` standard errors, and that is 0 from `DISBELIEF` on: the redescending weights of F. Hampel
   (Journal of the American Statistical Association 69, 1974). So no number of deliberately lost
   games moves anybody.

All of it is a pure function of the matches and owners, so that anybody can compute it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.ratings.elo import SCALE, Fit, Solver, fit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Match

    Floats = NDArray[np.float64]

HOUSE: Final = 0
MOST_FROM_ONE: Final = 0.1
DOUBT: Final = 2.5
DISBELIEF: Final = 4.0
FIRST_WEIGHT: Final = 0.1
"""The weight of games between authors before anything is known about the two."""
SPREAD: Final = 1.06
"""By how much errors are widened because residuals choose the weights, and errors when a bot has played
enough."""

TESTED: Final = 16
"""The most pairs against one owner that count as evidence for or against the rest."""

ROUNDS: Final = 12
ONE_PAIR: Final = 0.25
"""What a pair of equals tells: so much may come from any owner, so that everyone who has played has a rating,
however rough."""

CLOSE: Final = 5e-3
"""Weights that change by less than this have converged."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The matches that count, with their weights, the ratings that follow, and each match's residual."""

    matches: tuple[Match, ...]
    fit: Fit
    residuals: tuple[float, ...]
    """By how many standard errors the first made more points in each match than its rating says."""


def rate(matches: Sequence[Match], owners: Mapping[int, int], anchors: Mapping[int, float]) -> Weighed:
    """Rate a pool. `owners` are the owners of the versions; linked accounts share a number."""
    counted = [
        match for match in matches if match.pairs and may_meet(owners[match.first], owners[match.second])
    ]
    if not counted:
        return Weighed((), fit([], anchors), ())
    pool = _Pool(counted, owners)
    weights = np.where(pool.house, 1.0, FIRST_WEIGHT * pool.capped(np.full(len(counted), 0.5)))
    solver, found = Solver(counted), None
    for _ in range(ROUNDS):
        found = solver.strengths(weights, found)
        chance = pool.chances(dict(zip(solver.players, found, strict=True)))
        capped = pool.capped(chance)
        following = capped * pool.believed(chance)
        change = float(np.max(np.abs(following - weights)))
        weights = following
        if change < CLOSE:
            break
    fitted = _widened(fit(pool.weighted(weights), anchors))
    elo = {key: one.elo / SCALE for key, one in zip(fitted.players, fitted.estimates, strict=True)}
    residuals = pool.residuals(pool.chances(elo))
    return Weighed(tuple(pool.weighted(weights)), fitted, tuple(map(float, residuals)))


def _widened(fitted: Fit) -> Fit:
    """Return the fit with wider errors, because the residuals chose the weights."""
    wider = tuple(replace(one, error=one.error * SPREAD) for one in fitted.estimates)
    return Fit(fitted.players, wider, fitted.covariance * SPREAD**2, fitted.ratios * SPREAD**2)


def may_meet(one: int, other: int) -> bool:
    """Whether games between the bots of two owners may be rated; not if they are one author."""
    return one == HOUSE or one != other


class _Pool:
    """Matches as arrays, and the blocks they belong to: what one bot played against one owner's bots."""

    def __init__(self, matches: Sequence[Match], owners: Mapping[int, int]) -> None:
        self.matches = matches
        players = sorted({player for match in matches for player in (match.first, match.second)})
        index = {player: number for number, player in enumerate(players)}
        self.players = players
        self.one = np.array([index[match.first] for match in matches])
        self.other = np.array([index[match.second] for match in matches])
        penta = np.array([match.penta for match in matches], dtype=np.float64)
        self.pairs = penta.sum(axis=1)
        self.score = penta @ np.array([0, 0.5, 1, 1.5, 2])
        owner = [owners[player] for player in players]
        self.house = np.array(
            [HOUSE in (owner[one], owner[other]) for one, other in zip(self.one, self.other, strict=True)]
        )
        blocks: dict[tuple[int, int], int] = {}
        sides = ((self.one, self.other), (self.other, self.one))
        self.block = np.array(
            [
                [blocks.setdefault((mine, owner[his]), len(blocks)) for mine, his in zip(*side, strict=True)]
                for side in sides
            ]
        )
        self.of = np.array([player for player, _ in blocks])
        """Whose block each is."""
        self.trusted = np.array([opponent == HOUSE or owner[player] == HOUSE for player, opponent in blocks])

    def weighted(self, weights: Floats) -> list[Match]:
        """The matches with these weights."""
        return [
            replace(match, weight=float(weight)) for match, weight in zip(self.matches, weights, strict=True)
        ]

    def chances(self, strength: Mapping[int, float]) -> Floats:
        """Return the first player's expected score per game in each match; ½ for players without a rating."""
        rating = np.array([strength.get(player, np.nan) for player in self.players])
        chance = 1 / (1 + np.exp(rating[self.other] - rating[self.one]))
        return np.where(np.isnan(chance), 0.5, chance)

    def capped(self, chance: Floats) -> Floats:
        """Return the largest weights at which no owner contributes more than its share to any bot."""
        told = self.pairs * chance * (1 - chance)
        factor = np.ones(len(self.of))
        weights = np.ones(len(told))
        for _ in range(200):
            weights = np.minimum(factor[self.block[0]], factor[self.block[1]])
            by_block = sum(np.bincount(side, told * weights, len(self.of)) for side in self.block)
            whole = np.bincount(self.of, by_block, len(self.players))[self.of]
            # Without what is over the whole is smaller too: x = tenth of (the others + x).
            allowed = (whole - by_block) * MOST_FROM_ONE / (1 - MOST_FROM_ONE)
            allowed = np.maximum(allowed, ONE_PAIR)
            over = ~self.trusted & (by_block > allowed * (1 + 1e-6))
            if not over.any():
                # All other authors together may contribute as much about a bot as the house does.
                theirs = np.bincount(self.of, by_block * ~self.trusted, len(self.players))
                ours = np.maximum(np.bincount(self.of, by_block * self.trusted, len(self.players)), ONE_PAIR)
                scale = (ours / np.maximum(theirs, ONE_PAIR))[self.of]
                over = ~self.trusted & (scale < 1 - 1e-6) & (by_block > ONE_PAIR)
                allowed = np.maximum(by_block * scale, ONE_PAIR)
            if not over.any():
                break
            factor = np.where(over, factor * allowed / np.where(over, by_block, 1.0), factor)
        return weights

    def believed(self, chance: Floats) -> Floats:
        """Return the reduced weight of each match whose block contradicts the rest."""
        played = np.bincount(self.block[0], self.pairs, len(self.of)) + np.bincount(
            self.block[1], self.pairs, len(self.of)
        )
        # Of many pairs any two styles differ from what the ratings say: only so many are looked at.
        part = np.minimum(1.0, TESTED / np.maximum(played, 1.0))
        seen = np.minimum(part[self.block[0]], part[self.block[1]])
        surplus = seen * (self.score - 2 * self.pairs * chance)
        variance = seen * self.pairs * 2 * chance * (1 - chance)
        made = np.bincount(self.block[0], surplus, len(self.of)) - np.bincount(
            self.block[1], surplus, len(self.of)
        )
        spread = sum(np.bincount(side, variance, len(self.of)) for side in self.block)
        size = np.abs(made) / np.sqrt(np.maximum(spread, 1e-9))
        belief = np.clip((DISBELIEF - size) / (DISBELIEF - DOUBT), 0.0, 1.0) * np.minimum(
            1.0, DOUBT / np.maximum(size, 1e-9)
        )
        belief[self.trusted] = 1.0
        return np.asarray(np.minimum(belief[self.block[0]], belief[self.block[1]]))

    def residuals(self, chance: Floats) -> Floats:
        """Return by how many standard errors the first player exceeded expectation, with full weights."""
        variance = self.pairs * 2 * chance * (1 - chance)
        return np.asarray((self.score - 2 * self.pairs * chance) / np.sqrt(np.maximum(variance, 1e-9)))


FLAGGED_SHIFT: Final = 3.0
FLAGGED_RESIDUAL: Final = 4.0
MOST_LEFT_OUT: Final = 300
"""How many owners (those with the most pairs) are left out in turn; each costs a fit."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How much a player's rating depends on one owner's bots: in Elo, and in its standard errors."""

    owner: int
    player: int
    elo: float
    errors: float


def shifts(matches: Sequence[Match], owners: Mapping[int, int], anchors: Mapping[int, float]) -> list[Shift]:
    """Return the ratings that move by more than `FLAGGED_SHIFT` errors if one owner's bots are left out.

    Computed without the weights for contradicting results, which would hide what is looked for. Largest
    first.
    """
    counted = [one for one in matches if one.pairs and may_meet(owners[one.first], owners[one.second])]
    if not counted:
        return []
    whole = fit(counted, anchors)
    start = {key: one.elo / SCALE for key, one in zip(whole.players, whole.estimates, strict=True)}
    errors = {key: max(one.error, 1.0) for key, one in zip(whole.players, whole.estimates, strict=True)}
    pairs: dict[int, int] = {}
    for match in counted:
        for player in (match.first, match.second):
            pairs[owners[player]] = pairs.get(owners[player], 0) + match.pairs
    pairs.pop(HOUSE, None)
    found = []
    for owner in sorted(pairs, key=lambda one: (-pairs[one], one))[:MOST_LEFT_OUT]:
        rest = [one for one in counted if owner not in (owners[one.first], owners[one.second])]
        if not rest:
            continue
        solver = Solver(rest)
        near = np.array([start[player] for player in solver.players])
        found_now = solver.strengths(np.ones(len(rest)), near)
        without = dict(zip(solver.players, map(float, found_now), strict=True))
        held = [key for key in anchors if key in without]
        if not held:
            continue
        level = sum(anchors[key] / SCALE - without[key] for key in held) / len(held)
        for player, strength in without.items():
            moved = whole.estimate(player).elo - (strength + level) * SCALE
            if abs(moved) > FLAGGED_SHIFT * errors[player]:
                found.append(Shift(owner, player, moved, moved / errors[player]))
    return sorted(found, key=lambda one: -abs(one.errors))
