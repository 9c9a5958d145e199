"""Ratings of games with several seats by a batch fit of the Plackett-Luce model.

A ranking is a series of choices: first the best of all, then the best of the rest; each is chosen with odds
in proportion to its strength (R. L. Plackett, Applied Statistics 24, 1975; R. D. Luce, Individual Choice
Behavior, 1959). Equal seats count as every order of theirs, equally weighted. The strengths' logarithms are
on the Elo scale, so that between two it is the model of Bradley and Terry. Each player has `PRIOR` imagined
shared firsts against an average one, so that everyone has a rating. Found by Newton's method (compare D. R.
Hunter, Annals of Statistics 32, 2004).

In a rated pool some players are held where other games put them, and deals have weights
(`analysis.ratings.group_pools`).

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

from analysis.lazy_numpy import np
from analysis.ratings.elo import ANCHOR_ELO, SCALE, Estimate
from analysis.ratings.fitting import anchor_ratings, climb
from analysis.ratings.match_arrays import EXACT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

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


@dataclass(frozen=True, slots=True)
class GroupFit:
    """Ratings of all players by number; `covariance` is in Elo² in the order of `players`."""

    players: tuple[int, ...]
    estimates: tuple[Estimate, ...]
    covariance: Floats

    def by_player(self) -> dict[int, Estimate]:
        """The estimates by player."""
        return dict(zip(self.players, self.estimates, strict=True))


def fit(
    deals: Iterable[Sequence[Sequence[Sequence[int]]]], anchors: Mapping[int, float] | None = None
) -> dict[int, Estimate]:
    """Rate all who appear in the rankings of these deals, all of which count fully.

    As in `elo.fit` the scale is moved so that the anchors that play stand, on average, where they were put.
    Who is connected to no anchor by games stands about 1500, and is not called anchored.
    """
    counted = Counter(as_deal(deal) for deal in deals)
    return fit_weighted(counted, anchors or {}).by_player()


def fit_weighted(
    amounts: Mapping[Deal, float], anchors: Mapping[int, float], measured: GroupFit | None = None
) -> GroupFit:
    """Rate all who appear in these deals, given how many deals ended so.

    Those who were `measured` by other games, and are anchored there, stay where they are: these games tell
    nothing about them. What is not known about them is part of everybody's errors.
    """
    seated = {one for deal in amounts for ranking in deal for group in ranking for one in group}
    players = tuple(sorted(seated))
    if not players:
        return GroupFit((), (), np.zeros((0, 0)))
    amounts = dict(sorted(amounts.items()))  # the last digits depend on the order
    others = {} if measured is None else measured.by_player()
    known = {player: one.elo for player, one in others.items() if one.anchored}
    held = np.array([player in known for player in players])
    start = np.array([(known.get(player, ANCHOR_ELO) - ANCHOR_ELO) / SCALE for player in players])
    games = _Games(players, amounts)
    logs = games.maximum(start, ~held)
    groups = [np.array(group) for group in games.groups()]
    ratings = ANCHOR_ELO + logs * SCALE
    covariance = games.covariance(logs, ~held) * SCALE**2
    by_anchors = dict(anchors)
    for group in groups:
        if held[group].any():  # the others are placed by those held
            for place in group:
                by_anchors.pop(players[place], None)
    fixed = by_anchors | {player: known[player] for player in players if player in known}
    connected = anchor_ratings(players, groups, ratings, covariance, fixed, otherwise=ANCHOR_ELO)
    if measured is not None and held.any():
        follows = games.following(logs, ~held)
        there = [measured.players.index(player) for player in players if player in known]
        covariance += follows @ measured.covariance[np.ix_(there, there)] @ follows.T
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    estimates = tuple(
        Estimate(float(elo), float(error), bool(one))
        for elo, error, one in zip(ratings, errors, connected, strict=True)
    )
    return GroupFit(players, estimates, covariance)


def as_deal(rankings: Sequence[Sequence[Sequence[int]]]) -> Deal:
    """The rankings of one deal as a value, in an order of its own."""
    return tuple(sorted(tuple(tuple(group) for group in ranking) for ranking in rankings))


def surprises(deal: Deal, strength: Mapping[int, float]) -> dict[int, tuple[float, float]]:
    """For each player of a deal, by how much more it was chosen than its strength (log odds) says, and the
    variance of that, which is also what the deal tells about the player.
    """
    found: dict[int, tuple[float, float]] = {}
    players = sorted({one for group in deal[0] for one in group})
    index = {player: place for place, player in enumerate(players)}
    odds = np.exp(np.array([strength.get(player, 0.0) for player in players]))
    for ranking in deal:
        for choice, share in _choices(ranking, index).items():
            among = list(choice.among)
            chance = odds[among] / odds[among].sum()
            for place, likely in zip(among, chance.tolist(), strict=True):
                more, told = found.get(players[place], (0.0, 0.0))
                found[players[place]] = (
                    more + share * ((place == choice.chosen) - likely),
                    told + share * likely * (1 - likely),
                )
    return found


def _choices(ranking: Ranking, index: Mapping[int, int]) -> dict[_Choice, float]:
    """The choices that a ranking is made of, with their weights."""
    found: dict[_Choice, float] = {}
    for order, share in _orders(ranking):
        for rank in range(len(order) - 1):
            choice = _Choice(index[order[rank]], tuple(sorted(index[player] for player in order[rank:])))
            found[choice] = found.get(choice, 0.0) + share
    return found


def _orders(ranking: Ranking) -> list[tuple[tuple[int, ...], float]]:
    """Return all strict orders that agree with a ranking, each with its share."""
    found = [
        tuple(player for group in choice for player in group)
        for choice in product(*map(permutations, ranking))
    ]
    return [(order, 1 / len(found)) for order in found]


class _Games:
    """The choices that all games are made of, with their weights; log-odds units.

    `free` says of each player whether it may move; the others stay where they are.
    """

    def __init__(self, players: Sequence[int], amounts: Mapping[Deal, float]) -> None:
        index = {player: number for number, player in enumerate(players)}
        self.size = len(players)
        self.amounts = amounts
        self.choices = {
            ranking: _choices(ranking, index) for ranking in {ranking for deal in amounts for ranking in deal}
        }
        self.weights: dict[_Choice, float] = {}
        for deal, amount in amounts.items():
            for ranking in deal:
                for choice, share in self.choices[ranking].items():
                    self.weights[choice] = self.weights.get(choice, 0.0) + amount * share
        by_size: dict[int, list[_Choice]] = {}
        for choice in self.weights:
            by_size.setdefault(len(choice.among), []).append(choice)
        self._tables = [
            (
                np.array([choice.chosen for choice in found]),
                np.array([choice.among for choice in found]),
                np.array([self.weights[choice] for choice in found]),
            )
            for found in by_size.values()
        ]

    def groups(self) -> list[list[int]]:
        """The players who are connected by games, directly or through others."""
        label = list(range(self.size))

        def root(one: int) -> int:
            while label[one] != one:
                label[one] = label[label[one]]
                one = label[one]
            return one

        for choice in self.weights:
            for other in choice.among:
                label[root(other)] = root(choice.chosen)
        found: dict[int, list[int]] = {}
        for one in range(self.size):
            found.setdefault(root(one), []).append(one)
        return list(found.values())

    def maximum(self, start: Floats, free: Flags) -> Floats:
        """The log strengths by Newton steps on the concave likelihood; their mean is 0 if all are free."""

        def step(logs: Floats) -> Floats:
            gradient, information = self.derivatives(logs)
            found = np.zeros(self.size)
            found[free] = np.linalg.solve(information[np.ix_(free, free)], gradient[free])
            return found

        logs = climb(start, step, EXACT)
        return logs - logs.mean() if free.all() else logs

    def derivatives(self, logs: Floats) -> tuple[Floats, Floats]:
        """Gradient and observed information of the penalised log-likelihood."""
        strength = np.exp(logs)
        half = 1 / (1 + np.exp(-logs))
        gradient = PRIOR * (0.5 - half)
        information = np.diag(PRIOR * half * (1 - half))
        for chosen, among, weight in self._tables:
            chance = strength[among] / strength[among].sum(axis=1, keepdims=True)
            np.add.at(gradient, chosen, weight)
            np.add.at(gradient, among, -weight[:, None] * chance)
            both = -weight[:, None, None] * chance[:, :, None] * chance[:, None, :]
            np.add.at(information, (among[:, :, None], among[:, None, :]), both)
            np.add.at(information, (among, among), weight[:, None] * chance)
        return gradient, information

    def covariance(self, logs: Floats, free: Flags) -> Floats:
        """The sandwich with deals as units, in log odds squared; 0 for those who are not free."""
        information = self.derivatives(logs)[1]
        bread = np.zeros_like(information)
        bread[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
        half = 1 / (1 + np.exp(-logs))
        independent = information - np.diag(PRIOR * half * (1 - half))
        surprise = {ranking: _surprise(logs, found) for ranking, found in self.choices.items()}
        clustered = np.zeros_like(information)
        for deal, amount in self.amounts.items():
            whole = sum(surprise[ranking] for ranking in deal)
            clustered += amount * np.outer(whole, whole)
        deals = float(sum(self.amounts.values()))
        told = float(np.trace(bread @ independent))
        seen = deals * float(np.trace(bread @ clustered)) / told if told else deals
        ratio = (seen + DEALS) / (deals + DEALS)
        filling = (deals * clustered + DEALS * ratio * independent) / (deals + DEALS)
        return np.asarray(bread @ filling @ bread)

    def following(self, logs: Floats, free: Flags) -> Floats:
        """How far each player follows each of those who are not free; a column for each of these."""
        information = self.derivatives(logs)[1]
        held = ~free
        found = np.zeros((self.size, int(held.sum())))
        found[held] = np.eye(int(held.sum()))
        towards = -information[np.ix_(free, held)]
        found[free] = np.linalg.solve(information[np.ix_(free, free)], towards)
        return found


def _surprise(logs: Floats, choices: Mapping[_Choice, float]) -> Floats:
    """The gradient of one ranking's log-likelihood."""
    strength, found = np.exp(logs), np.zeros(len(logs))
    for choice, weight in choices.items():
        among = list(choice.among)
        found[choice.chosen] += weight
        found[among] -= weight * strength[among] / strength[among].sum()
    return found
