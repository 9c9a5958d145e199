"""Ratings of games with several seats by a batch fit of the Plackett-Luce model.

A ranking is a series of choices: first the best of all, then the best of the rest; each is chosen with odds
in proportion to its strength (R. L. Plackett, Applied Statistics 24, 1975; R. D. Luce, Individual Choice
Behavior, 1959). Equal seats count as every order of theirs, equally weighted. The strengths' logarithms are
on the Elo scale, so that between two it is the model of Bradley and Terry. Each player has `PRIOR` imagined
shared first places with an average player, so that everyone has a rating. The fit uses Newton's method, and
errors come from the observed information (compare D. R. Hunter, Annals of Statistics 32, 2004).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.ratings.elo import ANCHOR_ELO, SCALE, Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

PRIOR: Final = 1.0

Ranking = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    """A player was chosen out of `among`, itself included."""

    chosen: int
    among: tuple[int, ...]


def fit(rankings: Iterable[Sequence[Sequence[int]]], anchor: int | None = None) -> dict[int, Estimate]:
    """Rate everyone in `rankings` (groups of equals, best first). The anchor, if it plays, has 1500."""
    counted = Counter(tuple(tuple(group) for group in ranking) for ranking in rankings)
    players = sorted({player for ranking in counted for group in ranking for player in group})
    if not players:
        return {}
    index = {player: number for number, player in enumerate(players)}
    weights: dict[_Choice, float] = {}
    for ranking, count in counted.items():
        for order, share in _orders(ranking):
            for rank in range(len(order) - 1):
                among = tuple(sorted(index[player] for player in order[rank:]))
                choice = _Choice(index[order[rank]], among)
                weights[choice] = weights.get(choice, 0.0) + count * share
    logs = _maximise(len(players), weights)
    covariance = _covariance(logs, weights)
    centre = np.full(len(players), 1 / len(players))
    if anchor in index:
        centre = np.zeros(len(players))
        centre[index[anchor]] = 1.0
    shift = np.eye(len(players)) - np.outer(np.ones(len(players)), centre)
    values = shift @ logs * SCALE + ANCHOR_ELO
    errors = np.sqrt(np.maximum(np.diag(shift @ covariance @ shift.T), 0)) * SCALE
    return {
        player: Estimate(float(values[number]), float(errors[number]), anchor in index)
        for player, number in index.items()
    }


def _orders(ranking: Ranking) -> list[tuple[tuple[int, ...], float]]:
    """Return all strict orders that agree with a ranking, each with its share."""
    found = [
        tuple(player for group in choice for player in group)
        for choice in product(*map(permutations, ranking))
    ]
    return [(order, 1 / len(found)) for order in found]


def _maximise(count: int, weights: dict[_Choice, float]) -> NDArray[np.float64]:
    """Return the log strengths with mean 0, by Newton steps on the concave likelihood."""
    logs = np.zeros(count)
    for _ in range(100):
        gradient, information = _derivatives(logs, weights)
        step = np.linalg.solve(information, gradient)
        largest = float(np.max(np.abs(step)))
        logs += step * min(1.0, 2.0 / max(largest, 1e-300))
        if largest < 1e-10:
            break
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


def _covariance(logs: NDArray[np.float64], weights: dict[_Choice, float]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(_derivatives(logs, weights)[1]))
