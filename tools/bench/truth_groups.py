"""Simulated ladders of three and four seats, honest and with puppets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analysis.intervals import Z95
from analysis.ratings import group_pools, pools
from analysis.ratings.elo import ANCHOR_ELO, SCALE
from analysis.ratings.group_pools import choose_groups
from analysis.ratings.plackett_luce import as_deal
from analysis.ratings.scheduling import UNKNOWN_ERROR, Candidate
from tools.bench.truth_ladders import FRIEND, GREEDY, HOUSE, PUPPET, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.ratings.elo import Estimate
    from analysis.ratings.plackett_luce import Deal, GroupFit
    from tools.bench.tables import Table

    Floats = NDArray[np.float64]

BATCH = 20
BY_HAND = {"thrown": (200, 1e3), "leaning": (20, 0.4)}
"""What puppets do in games put in by hand: so many deals each, and so many log odds of help."""
PUPPETS = (1, 3, 10)
"""How many puppets there are, each on an account of its own."""
HONEST = 4
"""So many times as many ladders without puppets, for the coverage."""
SEATS = (3, 4)


@dataclass
class GroupLadder:
    """A simulated ladder: true strengths, owners, and the deals that were played."""

    dice: np.random.Generator
    seats: int
    bots: int
    puppets: int = 0
    true: dict[int, float] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    deals: Counter[Deal] = field(default_factory=Counter)
    thrown: Counter[Deal] = field(default_factory=Counter)
    """Those in which puppets sat with their friend."""
    known: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.true, self.owners = dict(HOUSE), dict.fromkeys(HOUSE, pools.HOUSE)
        for number in range(FRIEND, FRIEND + self.bots):
            self.true[number], self.owners[number] = self.dice.normal(0, 200), number
        self.true[FRIEND] = 0.0
        for number in range(PUPPET, PUPPET + self.puppets):
            self.true[number] = 0.0
            self.owners[number] = number

    @property
    def authors(self) -> range:
        """The authors' bots, puppets left out."""
        return range(FRIEND, FRIEND + self.bots)

    def play(self, table: Sequence[int], times: int = 1, lean: float = 1e3) -> None:
        """Play deals, each once for every seat. Puppets help their friend by so many log odds."""
        thrown = FRIEND in table and max(table) >= PUPPET
        strength = np.array([self.true[one] / SCALE for one in table])
        if thrown:  # it gains on its puppets, and on all others
            strength += [lean * (one == FRIEND) - lean * (one >= PUPPET) for one in table]
        for _ in range(times):
            drawn = strength + self.dice.gumbel(size=(self.seats, self.seats))
            orders = [[[table[place]] for place in np.argsort(-row)] for row in drawn]
            (self.thrown if thrown else self.deals)[as_deal(orders)] += 1
        if all(one in HOUSE for one in table):
            self.known.update(table)
        else:
            self.known.update(one for one in table if one not in HOUSE)

    def rate(self, *, honest: bool = False) -> GroupFit:
        """The ratings, as the site computes them; `honest`: without the games that puppets threw."""
        counted = self.deals if honest else self.deals + self.thrown
        return group_pools.rate(counted.items(), self.owners, {GREEDY: ANCHOR_ELO})

    def settle(self) -> GroupFit:
        """Play what the site's scheduler asks for until nobody asks any more."""
        while True:
            fitted = self.rate()
            groups = choose_groups(*self._known(fitted))
            if not groups:
                return fitted
            for table in groups:
                self.play(table)

    def _known(self, fitted: GroupFit) -> tuple[list[Candidate], dict[int, float], int, int, Floats]:
        """What the scheduler is told: as `services.rating.ladder` tells it."""
        place = {player: index for index, player in enumerate(fitted.players)}
        keys, pool = list(self.true), []
        covariance = np.diag(np.full(len(keys), UNKNOWN_ERROR**2))
        here = [index for index, key in enumerate(keys) if key in place]
        there = [place[keys[index]] for index in here]
        covariance[np.ix_(here, here)] = fitted.covariance[np.ix_(there, there)]
        for index, key in enumerate(keys):
            elo = fitted.estimates[place[key]].elo if key in place else ANCHOR_ELO
            error = float(np.sqrt(covariance[index, index]))
            pool.append(Candidate(key, self.owners[key], elo, error, self.known[key]))
        return pool, {}, BATCH, self.seats, covariance


def groups(count: int, bots: int, table: Table) -> None:
    """Standard errors and coverage on ladders of several seats, and what puppets move there."""
    for seats in SEATS:
        table.title(f"Ladder of {seats} seats: {bots} authors, {HONEST * count} times; puppets {count} times")
        errors, held, deals = [], [], []
        for seed in range(HONEST * count):
            ladder = GroupLadder(np.random.default_rng(seed), seats, bots)
            rated = ladder.settle().by_player()
            errors += [rated[key].error for key in ladder.authors]
            deals += [ladder.known[key] for key in ladder.authors]
            held.append(np.mean([_holds(rated[key], ladder.true[key]) for key in ladder.authors]))
        table.line("standard error, mean", f"{np.mean(errors):.1f} Elo", "27", float(np.mean(errors)) <= 27)
        # The bots of a ladder are all as wrong as its house is.
        covered, slack = float(np.mean(held)), 2 * float(np.std(held, ddof=1)) / np.sqrt(len(held))
        holds = 0.94 - slack <= covered <= 0.97 + slack
        table.line("covered by the 95 % interval", f"{covered:.3f}", "0.94-0.97", holds)
        table.line("deals a bot", f"{np.mean(deals):.0f}")
        for number in PUPPETS:
            _puppets(count, seats, bots, number, table)


def _holds(one: Estimate, truth: float) -> bool:
    return abs(one.elo - ANCHOR_ELO - truth) < Z95 * one.error


def _puppets(count: int, seats: int, bots: int, number: int, table: Table) -> None:
    """How far puppets move their friend and anybody else."""
    moved: dict[str, tuple[list[float], list[float]]] = {}
    for seed in range(count):
        dice = np.random.default_rng(seed)
        ladder = GroupLadder(dice, seats, bots, number)
        settled = ladder.settle()
        _note(ladder, settled, *moved.setdefault("", ([], [])))
        for how, (deals, lean) in BY_HAND.items():
            ladder.thrown.clear()
            for puppet in range(PUPPET, PUPPET + number):
                for _ in range(deals):
                    house = dice.choice(list(HOUSE), seats - 2, replace=False)
                    ladder.play([FRIEND, puppet, *map(int, house)], lean=lean)
            _note(ladder, ladder.rate(), *moved.setdefault(f", {deals} {how} deals each", ([], [])))
    for how, (friend, innocent) in moved.items():
        for who, values, most in (("friend", friend, 10), ("worst-hit innocent", innocent, 5)):
            what = f"{number} puppet{'s' if number > 1 else ''}{how}: {who}"
            table.line(what, spread(values), str(most), abs(float(np.mean(values))) < most)


def _note(ladder: GroupLadder, fitted: GroupFit, friend: list[float], innocent: list[float]) -> None:
    """Note how far the thrown games moved the ratings."""
    after, before = fitted.by_player(), ladder.rate(honest=True).by_player()
    moved = {key: after[key].elo - before[key].elo for key in ladder.authors}
    friend.append(moved.pop(FRIEND))
    innocent.append(max(map(abs, moved.values())))
