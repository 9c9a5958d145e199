"""Ratings of games with several seats by a batch fit of the Plackett-Luce model.

A ranking is a series of choices: first the best of all, then the best of the rest; each is chosen with odds
in proportion to its strength (R. L. Plackett, Applied Statistics 24, 1975; R. D. Luce, Individual Choice
Behavior, 1959). Equal seats count as every order of theirs, equally weighted. The strengths' logarithms are
on the Elo scale, so that between two it is the model of Bradley and Terry. Each player has `PRIOR` imagined
shared firsts against an average one, so that everyone has a rating. Found by Newton's method (compare D. R.
Hunter, Annals of Statistics 32, 2004).

The games of one deal are not independent: near-twins play them alike. So the errors are of the sandwich kind
with the deal as the unit (H. White, Econometrica 50, 1982; clusters as K.-Y. Liang and S. Zeger, Biometrika
73, 1986). A few deals cannot tell how alike their games are: what they tell is drawn, by `DEALS` deals,
towards the information of independent games times the ratio seen over all players.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Final

from analysis.arrays import np
from analysis.ratings.anchoring import anchored
from analysis.ratings.climbing import climb
from analysis.ratings.elo import ANCHOR_ELO, SCALE, Estimate
from analysis.ratings.table import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

PRIOR: Final = 1.0
DEALS: Final = 20.0

Ranking = tuple[tuple[int, ...], ...]
Deal = tuple[Ranking, ...]
"""The finishing orders (groups of equals, best first) of all games that were played on one deal."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A player was chosen out of `among`, itself included."""

    chosen: int
    among: tuple[int, ...]


def fit(
    deals: Iterable[Sequence[Sequence[Sequence[int]]]], anchors: Mapping[int, float] | None = None
) -> dict[int, Estimate]:
    """Rate all who appear in the rankings of these deals.

    As in `elo.fit` the scale is moved so that the anchors that play stand, on average, where they were put.
    Who is connected to no anchor by games stands about 1500, and is not called anchored.
    """
    counted = Counter(as_deal(deal) for deal in deals)
    players = sorted({one for deal in counted for ranking in deal for group in ranking for one in group})
    if not players:
        return {}
    index = {player: number for number, player in enumerate(players)}
    choices = {
        ranking: _choices(ranking, index) for ranking in {ranking for deal in counted for ranking in deal}
    }
    weights: dict[_Choice, float] = {}
    for deal, times in counted.items():
        for ranking in deal:
            for choice, share in choices[ranking].items():
                weights[choice] = weights.get(choice, 0.0) + times * share
    logs = _maximise(len(players), weights)
    covariance = _covariance(logs, weights, choices, counted)
    ratings, covariance = logs * SCALE, covariance * SCALE**2
    groups = [np.array(group) for group in _groups(len(players), weights)]
    held = anchored(players, groups, ratings, covariance, anchors or {}, otherwise=ANCHOR_ELO)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    return {
        player: Estimate(float(ratings[number]), float(errors[number]), bool(held[number]))
        for player, number in index.items()
    }


def as_deal(rankings: Sequence[Sequence[Sequence[int]]]) -> Deal:
    """The rankings of one deal as a value, in an order of its own."""
    return tuple(sorted(tuple(tuple(group) for group in ranking) for ranking in rankings))


def _choices(ranking: Ranking, index: Mapping[int, int]) -> dict[_Choice, float]:
    """The choices that a ranking is made of, with their weights."""
    found: dict[_Choice, float] = {}
    for order, share in _orders(ranking):
        for rank in range(len(order) - 1):
            choice = _Choice(index[order[rank]], tuple(sorted(index[player] for player in order[rank:])))
            found[choice] = found.get(choice, 0.0) + share
    return found


def _groups(count: int, weights: Mapping[_Choice, float]) -> list[list[int]]:
    """The players who are connected by games, directly or through others."""
    label = list(range(count))

    def root(one: int) -> int:
        while label[one] != one:
            label[one] = label[label[one]]
            one = label[one]
        return one

    for choice in weights:
        for other in choice.among:
            label[root(other)] = root(choice.chosen)
    found: dict[int, list[int]] = {}
    for one in range(count):
        found.setdefault(root(one), []).append(one)
    return list(found.values())


def _orders(ranking: Ranking) -> list[tuple[tuple[int, ...], float]]:
    """Return all strict orders that agree with a ranking, each with its share."""
    found = [
        tuple(player for group in choice for player in group)
        for choice in product(*map(permutations, ranking))
    ]
    return [(order, 1 / len(found)) for order in found]


def _maximise(count: int, weights: dict[_Choice, float]) -> NDArray[np.float64]:
    """Return the log strengths with mean 0, by Newton steps on the concave likelihood."""

    def step(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        gradient, information = _derivatives(logs, weights)
        return np.asarray(np.linalg.solve(information, gradient))

    logs = climb(np.zeros(count), step, EXACT)
    return np.asarray(logs - logs.mean())


def _derivatives(
    logs: NDArray[np.float64], weights: dict[_Choice, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient and observed information of the penalised log-likelihood."""
    strength = np.exp(logs)
    half = 1 / (1 + np.exp(-logs))
    gradient = PRIOR * (0.5 - half)
    information = np.diag(PRIOR * half * (1 - half))
    for choice, weight in weights.items():
        among = list(choice.among)
        chance = strength[among] / strength[among].sum()
        gradient[choice.chosen] += weight
        gradient[among] -= weight * chance
        information[np.ix_(among, among)] += weight * (np.diag(chance) - np.outer(chance, chance))
    return gradient, information


def _covariance(
    logs: NDArray[np.float64],
    weights: dict[_Choice, float],
    choices: Mapping[Ranking, Mapping[_Choice, float]],
    counted: Mapping[Deal, int],
) -> NDArray[np.float64]:
    """The sandwich with deals as units, in log odds squared."""
    information = _derivatives(logs, weights)[1]
    bread = np.linalg.inv(information)
    half = 1 / (1 + np.exp(-logs))
    independent = information - np.diag(PRIOR * half * (1 - half))
    surprise = {ranking: _surprise(logs, found) for ranking, found in choices.items()}
    clustered = np.zeros_like(information)
    for deal, times in counted.items():
        whole = sum(surprise[ranking] for ranking in deal)
        clustered += times * np.outer(whole, whole)
    deals = float(sum(counted.values()))
    told = float(np.trace(bread @ independent))
    ratio = (deals * float(np.trace(bread @ clustered)) / told + DEALS) / (deals + DEALS)
    filling = (deals * clustered + DEALS * ratio * independent) / (deals + DEALS)
    return np.asarray(bread @ filling @ bread)


def _surprise(logs: NDArray[np.float64], choices: Mapping[_Choice, float]) -> NDArray[np.float64]:
    """The gradient of one ranking's log-likelihood."""
    strength, found = np.exp(logs), np.zeros(len(logs))
    for choice, weight in choices.items():
        among = list(choice.among)
        found[choice.chosen] += weight
        found[among] -= weight * strength[among] / strength[among].sum()
    return found
