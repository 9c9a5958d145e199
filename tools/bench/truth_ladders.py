"""Simulated ladders, honest and with puppets: errors, coverage and what thrown games move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analysis.ratings import pools, profile_intervals
from analysis.ratings.elo import ANCHOR_ELO, expectation
from analysis.ratings.inputs import played_before_comparison
from analysis.ratings.match_arrays import Match
from analysis.ratings.scheduling import FIRST_PAIRS, SETTLED_ERROR, UNKNOWN_ERROR, Candidate, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from analysis.ratings.elo import Fit
    from tools.bench.tables import Table

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

HOUSE = {0: -200.0, 1: 0.0, 2: 0.0, 3: 120.0, 4: 250.0}
"""True Elo of the house's bots, from 1500 on."""
HOUSE_PAIRS = 60
GREEDY = 1
"""The house bot that is the first anchor of every site."""
FRIEND = 10
"""The bot that puppets throw their games to; it is as strong as the first anchor."""
SPOILT = 3
"""The house bot that they throw them to where they spoil the scale."""
ANCHOR_ERROR = 10.0
"""Elo by which anchors are wrong: they were frozen when they were known about so well."""
PUPPET = 1_000
COPY = 2_000
UPLOADS = 20
STEPS = 12
"""Batches between two uploads, in which each bot plays about one pair a batch."""
BATCH = 40
YOUNG_SLACK = 0.02
"""By how much coverage may miss on new ladders: their bots are all as wrong as their house is, so a few
ladders say less about its mean."""
FAR = (300.0, 600.0)
"""By how much a bot is stronger than the strongest of the house, to see what is still known of it."""


@dataclass
class Ladder:
    """A simulated ladder: true strengths, owners, and what was played."""

    dice: np.random.Generator
    bots: int
    puppets: int = 0
    one_account: bool = True
    thrown_to: int = FRIEND
    young: bool = False
    """Whether the ladder is new: `GREEDY` is its only anchor, and the house has not played yet."""
    true: dict[int, float] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    met: dict[tuple[int, int], Counts] = field(default_factory=dict)
    anchors: dict[int, float] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    """Versions that have a successor and play no more."""
    upload: int = FRIEND
    """The near-twin that plays for the friend's record."""
    later: list[tuple[int, tuple[int, int], Counts]] = field(default_factory=list)
    """The pairs of later near-twins: the version, who met under the friend's number, and the score."""

    def __post_init__(self) -> None:
        self.true = dict(HOUSE)
        wrong = self.dice.normal(0, ANCHOR_ERROR, len(HOUSE))
        self.anchors = {
            key: ANCHOR_ELO + elo + float(error - wrong.mean())
            for (key, elo), error in zip(HOUSE.items(), wrong, strict=True)
        }
        if self.young:
            self.anchors = {GREEDY: ANCHOR_ELO}
        self.owners = dict.fromkeys(HOUSE, pools.HOUSE)
        for number in range(FRIEND, FRIEND + self.bots):
            self.true[number], self.owners[number] = self.dice.normal(0, 200), number
        self.true[FRIEND] = 0.0
        for number in range(PUPPET, PUPPET + self.puppets):
            self.true[number] = 0.0
            self.owners[number] = PUPPET if self.one_account else number
        for one in HOUSE if not self.young else ():
            for other in range(one):
                self.play(other, one, HOUSE_PAIRS)

    @property
    def authors(self) -> range:
        """The authors' bots, puppets left out."""
        return range(FRIEND, FRIEND + self.bots)

    def play(self, one: int, other: int, pairs: int = 1) -> None:
        """Play pairs of two bots."""
        first, second = sorted((one, other))
        chance = expectation(self.true[first] - self.true[second])
        if first == self.thrown_to and second >= PUPPET:
            chance = 1.0
        for _ in range(pairs):
            score = 2 * int(self.dice.binomial(1, chance, 2).sum())
            made = np.bincount([score], minlength=5)
            if FRIEND in (first, second) and self.upload != FRIEND:
                self.later.append((self.upload, (first, second), made))
            else:
                self.met[first, second] = self.met.get((first, second), 0) + made

    def counted(self) -> dict[tuple[int, int], Counts]:
        """What counts for the ratings."""
        records = dict.fromkeys((version for version, _, _ in self.later), FRIEND)
        played = [(number, (version,)) for number, (version, _, _) in enumerate(self.later)]
        left_out = played_before_comparison(played, records)
        found = dict(self.met)
        for number, (_, couple, made) in enumerate(self.later):
            if number not in left_out:
                found[couple] = found.get(couple, 0) + made
        return found

    def matches(self, *, honest: bool = False) -> list[Match]:
        """What was played; `honest`: without the games that puppets threw."""
        return [
            Match(one, other, tuple(map(int, penta)))  # type: ignore[arg-type]
            for (one, other), penta in self.counted().items()
            if not (honest and one == self.thrown_to and other >= PUPPET)
        ]

    def rate(self, *, honest: bool = False) -> pools.Weighed:
        """The ratings, as the site computes them."""
        return pools.rate(self.matches(honest=honest), self.owners, self.anchors)

    def settle(self) -> pools.Weighed:
        """Play what the site's scheduler asks for until nobody asks any more."""
        while True:
            weighed = self.rate()
            if not self.step(weighed.fit):
                return weighed

    def step(self, fitted: Fit) -> bool:
        """Play what the scheduler asks for next; False if nobody asks for anything."""
        couples = choose(*self._known(fitted))
        for one, other in couples:
            self.play(one, other)
        return bool(couples)

    def _known(
        self, fitted: Fit
    ) -> tuple[list[Candidate], dict[int, float], int, Floats, dict[tuple[int, int], int]]:
        """What the scheduler is told: as `services.rating.ladder` tells it."""
        place = {player: index for index, player in enumerate(fitted.players)}
        pairs = dict.fromkeys(self.true, 0)
        against: dict[tuple[int, int], int] = {}
        for (one, other), penta in self.counted().items():
            for mine, his in ((one, other), (other, one)):
                pairs[mine] += int(penta.sum())
                against[mine, self.owners[his]] = against.get((mine, self.owners[his]), 0) + int(penta.sum())
        keys = [key for key in self.true if key not in self.gone]
        covariance = np.diag(np.full(len(keys), UNKNOWN_ERROR**2))
        here = [index for index, key in enumerate(keys) if key in place]
        there = [place[keys[index]] for index in here]
        covariance[np.ix_(here, here)] = fitted.covariance[np.ix_(there, there)]
        pool = []
        for index, key in enumerate(keys):
            elo = fitted.estimate(key).elo if key in place else ANCHOR_ELO
            error = float(np.sqrt(covariance[index, index]))
            pool.append(Candidate(key, self.owners[key], elo, error, pairs[key]))
        return pool, {}, BATCH, covariance, against


def ladders(count: int, bots: int, table: Table, *, young: bool = False) -> None:
    """Standard errors and coverage on ladders without puppets."""
    errors, held, pairs, house = [], [], [], []
    far: list[list[float]] = [[] for _ in FAR]
    for seed in range(count):
        ladder = Ladder(np.random.default_rng(seed), bots, young=young)
        for place, above in enumerate(FAR):
            ladder.true[FRIEND + bots - 1 - place] = max(HOUSE.values()) + above
        weighed = ladder.settle()
        interval = profile_intervals.ends(weighed.fit, weighed.matches)
        ends = []
        for key in ladder.authors:
            one, truth = weighed.fit.estimate(key), ANCHOR_ELO + ladder.true[key]
            ends.append(interval[key][0] <= truth <= interval[key][1])
            if key >= FRIEND + bots - len(FAR):
                far[FRIEND + bots - 1 - key].append(one.error)
                continue
            errors.append(one.error)
            mine = {couple: int(penta.sum()) for couple, penta in ladder.met.items() if key in couple}
            pairs.append(sum(mine.values()))
            house.append(sum(made for couple, made in mine.items() if couple[0] in HOUSE) / pairs[-1])
        held.append(float(np.mean(ends)))
    table.title(f"{'New ladder, one anchor' if young else 'Ladder'}: {bots} authors, {count} times")
    table.line("standard error, mean", f"{np.mean(errors):.1f} Elo", "27", float(np.mean(errors)) <= 27)
    covered, slack = float(np.mean(held)), YOUNG_SLACK if young else 0.0
    wanted = (0.94 - slack, 0.97 + slack)
    table.line(
        "covered by the 95 % interval",
        f"{covered:.3f}",
        f"{wanted[0]:.2f}-{wanted[1]:.2f}",
        wanted[0] <= covered <= wanted[1],
    )
    table.line("pairs a bot", f"{np.mean(pairs):.0f}")
    table.line("of these against the house", f"{100 * np.mean(house):.0f} %")
    for above, found in zip(FAR, far, strict=True):
        table.line(f"standard error {above:.0f} Elo above the house", f"{np.mean(found):.0f} Elo")


def puppets(count: int, bots: int, table: Table) -> None:
    """How far puppets move their friend and anybody else."""
    table.title(f"Puppets on a ladder of {bots} authors, {count} times: mean Elo moved (largest)")
    for number, one_account in ((1, False), (3, True), (3, False), (10, True), (10, False), (bots, False)):
        friend: list[float] = []
        innocent: list[float] = []
        bulk: list[float] = []
        bulk_innocent: list[float] = []
        for seed in range(count):
            ladder = Ladder(np.random.default_rng(seed), bots, number, one_account)
            _moved(ladder, ladder.settle(), friend, innocent)
            for puppet in range(PUPPET, PUPPET + number):
                ladder.met[FRIEND, puppet] = np.array([0, 0, 0, 0, 200])
            _moved(ladder, ladder.rate(), bulk, bulk_innocent)
        who = f"{number} of {'one account' if one_account else 'as many accounts'}"
        asked = number < bots
        for what, moved, most in (
            (f"{who}: friend", friend, 10),
            (f"{who}: worst-hit innocent", innocent, 5),
            (f"{who}, 200 pairs each put in by hand: friend", bulk, 10),
            (f"{who}, put in by hand: worst-hit innocent", bulk_innocent, 5),
        ):
            if asked or what.endswith("friend"):
                wanted = str(most) if asked else ""
                table.line(what, spread(moved), wanted, abs(float(np.mean(moved))) < most)

    friend, innocent = [], []
    for seed in range(count):
        ladder = Ladder(np.random.default_rng(seed), bots, 10, one_account=False, young=True)
        _moved(ladder, ladder.settle(), friend, innocent)
    for who, moved, most in (("friend", friend, 10), ("worst-hit innocent", innocent, 5)):
        what = f"10 of as many accounts, new ladder: {who}"
        table.line(what, spread(moved), str(most), abs(float(np.mean(moved))) < most)


def spoilers(count: int, bots: int, table: Table) -> None:
    """How far puppets that throw their games to one house bot move those who met it."""
    table.title(f"Puppets that throw games to one house bot, {count} times: mean Elo moved (largest)")
    for young in (False, True):
        for number in (1, 3, 10):
            innocent: list[float] = []
            for seed in range(count):
                dice = np.random.default_rng(seed)
                ladder = Ladder(dice, bots, number, False, SPOILT, young)
                _moved(ladder, ladder.settle(), [], innocent)
            seen, holds = spread(innocent), abs(float(np.mean(innocent))) < 5
            who = f"{number} of as many accounts{', new ladder' if young else ''}"
            table.line(f"{who}: worst-hit innocent", seen, "5", holds)


def uploads(count: int, bots: int, table: Table) -> None:
    """What authors gain who upload equals of one bot until they are lucky, and stop there.

    It is counted from where the last upload stands, which is right on average, to the highest point: nobody
    who does not know what comes can stop better. Near-twins are uploaded while the record is still unsettled,
    every `STEPS` batches, and after that; each plays its first pairs before it is compared.
    """
    table.title(
        f"Stopping at the luckiest of {UPLOADS} equal uploads, {count} times: mean Elo gained (largest)"
    )
    own: list[float] = []
    shared: list[float] = []
    for seed in range(count):
        for gained, together in ((own, False), (shared, True)):
            ladder = Ladder(np.random.default_rng(seed), bots)
            stood = list((_of_near_twins if together else _of_uploads)(ladder))
            gained.append(max(stood) - stood[-1])
    table.line("equals that answer unlike, a record each", spread(own))
    table.line("near-twins, which share a record", spread(shared), "10", float(np.mean(shared)) < 10)


def _of_uploads(ladder: Ladder) -> Iterator[float]:
    """Where each upload in turn stands, once it is settled."""
    for number in (FRIEND, *range(COPY, COPY + UPLOADS - 1)):
        if number != FRIEND:
            ladder.gone.add(number - 1 if number > COPY else FRIEND)
            ladder.true[number], ladder.owners[number] = ladder.true[FRIEND], ladder.owners[FRIEND]
        yield ladder.settle().fit.estimate(number).elo


def _of_near_twins(ladder: Ladder) -> Iterator[float]:
    """Where the record stands on the board after each upload: by its lower end until it is settled."""
    settled = False
    for number in range(COPY, COPY + UPLOADS - 1):
        for _ in range(STEPS if not settled else 0):
            if not ladder.step(ladder.rate().fit):
                break
        ladder.upload = number
        for house in range(FIRST_PAIRS):
            ladder.play(house % len(HOUSE), FRIEND)
        weighed = ladder.rate()
        one = weighed.fit.estimate(FRIEND)
        settled = one.error <= SETTLED_ERROR
        yield one.elo if settled else profile_intervals.ends(weighed.fit, weighed.matches)[FRIEND][0]
    yield ladder.settle().fit.estimate(FRIEND).elo


def _moved(ladder: Ladder, weighed: pools.Weighed, friend: list[float], innocent: list[float]) -> None:
    """Note how far the thrown games moved the ratings."""
    without = ladder.rate(honest=True).fit
    friend.append(weighed.fit.estimate(FRIEND).elo - without.estimate(FRIEND).elo)
    others = [key for key in ladder.authors if key != FRIEND]
    innocent.append(max(abs(weighed.fit.estimate(key).elo - without.estimate(key).elo) for key in others))


def spread(values: list[float]) -> str:
    """The mean and the largest."""
    return f"{np.mean(values):+.1f} ({max(values, key=abs):+.1f})"
