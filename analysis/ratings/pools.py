"""What counts in a rated pool, and how much: ratings that no number of accounts can buy.

Four rules, applied to matches between versions whose owners are known (0 is the house, whose bots are the
arena's own and whose games are scheduled by nobody else):

1. Two bots of one owner, or of accounts that staff linked, are never rated against each other.
2. Of the information about a bot, games x p (1 - p), no more than `MOST_FROM_AUTHORS` comes from all other
   authors together: a thrown game looks like a won one, and no test can tell a few from luck. Every share s
   that is thrown moves a rating of a bot of middling strength by about 350 s Elo, so this is a bound for any
   number of accounts. The rest comes from the house.
3. No more than `MOST_FROM_ONE` comes from one other author, or one pair's worth where that is more.

4. The house's bots are rated by their games against each other alone, and all others by theirs against the
house: no game of an author moves a house bot, and through it everybody who met that. (A model in which
information flows one way is "cut": M. Plummer, Statistics and Computing 25, 2015.) What is not known about
the house's bots is part of everybody's errors.

What is over is taken away by weighting the pairs down. What is left of a match loses its weight as a bot's
results against that author contradict what the house's games say, from `DOUBT` standard errors on, and all of
it at `DISBELIEF` (the redescending weights of F. Hampel, Journal of the American Statistical Association 69,
1974): that is for games thrown by the hundred. The weights follow from the games against the house
alone, never from games between authors: so nobody can raise what their own games weigh, and a bounded weight
bounds what any game can do (compare limited translation, B. Efron and C. Morris, Journal of the American
Statistical Association 66, 1971).

All of it is a pure function of the matches and owners, so that anybody can compute it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from analysis.lazy_numpy import np
from analysis.ratings.elo import SCALE, Fit, anchored_ratings, fit
from analysis.ratings.match_arrays import EXACT, Match, Refitter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HOUSE: Final = 0
MOST_FROM_AUTHORS: Final = 1 / 16
MOST_FROM_ONE: Final = 1 / 80
DOUBT: Final = 2.5
DISBELIEF: Final = 4.0
TESTED: Final = 16
"""As many pairs against one author are taken to speak for or against the rest: of many pairs any two styles
differ from what ratings say."""

SPREAD: Final = 1.1
"""By how much errors are widened because a bot stops playing when its error looks small enough, and because
anchors are as wrong as they were when they were frozen."""

ONE_PAIR: Final = 0.25
"""What a pair of equals tells, p (1 - p): so much may come from any owner, so that everyone who has played
has a rating, however rough."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The matches that count, with their weights, the ratings that follow, and each match's residual."""

    matches: tuple[Match, ...]
    fit: Fit
    residuals: tuple[float, ...]
    """By how many standard errors the first made more points in each match than its rating says."""


def rate(
    matches: Sequence[Match],
    owners: Mapping[int, int],
    anchors: Mapping[int, float],
) -> Weighed:
    """The ratings of a pool. `owners` are those of the versions, linked accounts under one number."""
    counted = [
        match for match in matches if match.pairs and may_meet(owners[match.first], owners[match.second])
    ]
    if not counted:
        return Weighed((), fit([], anchors), ())
    pool = _Pool(counted, owners)
    ruler = fit([one for one in counted if owners[one.first] == owners[one.second] == HOUSE], anchors)
    seen = [match for match, house in zip(counted, pool.house, strict=True) if house]
    by_house: dict[int, float] = {}
    if seen:
        solver = Refitter(
            seen, {key: elo / SCALE for key, elo in (anchored_ratings(ruler) | dict(anchors)).items()}
        )
        strengths = solver.strengths(np.ones(len(seen)), close=EXACT)
        by_house = dict(zip(solver.players, strengths, strict=True))
    chance = pool.chances(by_house)
    weighted = pool.weigh(pool.cap_weights(chance) * pool.trust(chance))
    fitted = _widened(fit(weighted, anchors, ruler))
    elo = {key: one.elo / SCALE for key, one in zip(fitted.players, fitted.estimates, strict=True)}
    return Weighed(tuple(weighted), fitted, tuple(map(float, pool.residuals(pool.chances(elo)))))


def _widened(fitted: Fit) -> Fit:
    """The fit with errors that allow for bots having stopped when theirs happened to look small."""
    wider = tuple(replace(one, error=one.error * SPREAD) for one in fitted.estimates)
    return replace(
        fitted, estimates=wider, covariance=fitted.covariance * SPREAD**2, ratios=fitted.ratios * SPREAD**2
    )


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
        self.pairs = np.array([match.pairs for match in matches], dtype=np.float64)
        self.score = np.array([match.score for match in matches])
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

    def weigh(self, weights: Floats) -> list[Match]:
        """The matches with these weights."""
        return [
            replace(match, weight=weight)
            for match, weight in zip(self.matches, weights.tolist(), strict=True)
        ]

    def chances(self, strength: Mapping[int, float]) -> Floats:
        """Return the first player's expected score per game in each match; ½ for players without a rating."""
        rating = np.array([strength.get(player, np.nan) for player in self.players])
        chance = 1 / (1 + np.exp(rating[self.other] - rating[self.one]))
        return np.where(np.isnan(chance), 0.5, chance)

    def cap_weights(self, chance: Floats) -> Floats:
        """The weights at which no author's bots, nor those of all authors, tell more than their part of it.

        The parts of a bot are reckoned from what the house's games tell of it.
        """
        told = self.pairs * chance * (1 - chance)
        by_block = sum(np.bincount(side, told, len(self.of)) for side in self.block)
        house = np.bincount(self.of, by_block * self.trusted, len(self.players))
        rest = house / (1 - MOST_FROM_AUTHORS)
        one = np.maximum(MOST_FROM_ONE * rest, ONE_PAIR)[self.of]
        kept = np.minimum(by_block, one) * ~self.trusted
        authors = np.bincount(self.of, kept, len(self.players))
        most = np.maximum(MOST_FROM_AUTHORS * rest, ONE_PAIR)
        kept *= np.minimum(1.0, most / np.maximum(authors, 1e-300))[self.of]
        factor = np.where(self.trusted, 1.0, kept / np.maximum(by_block, 1e-300))
        return np.asarray(np.minimum(factor[self.block[0]], factor[self.block[1]]))

    def trust(self, chance: Floats) -> Floats:
        """What is left of each match's weight where a block of its contradicts these chances."""
        played = sum(np.bincount(side, self.pairs, len(self.of)) for side in self.block)
        part = np.minimum(1.0, TESTED / np.maximum(played, 1.0))
        seen = np.minimum(part[self.block[0]], part[self.block[1]])
        surplus = seen * (self.score - 2 * self.pairs * chance)
        variance = seen * self.pairs * 2 * chance * (1 - chance)
        made = np.bincount(self.block[0], surplus, len(self.of)) - np.bincount(
            self.block[1], surplus, len(self.of)
        )
        spread = sum(np.bincount(side, variance, len(self.of)) for side in self.block)
        size = np.abs(made) / np.sqrt(np.maximum(spread, 1e-9))
        belief = np.clip((DISBELIEF - size) / (DISBELIEF - DOUBT), 0.0, 1.0)
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
        solver = Refitter(rest, {key: elo / SCALE for key, elo in anchors.items()})
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
