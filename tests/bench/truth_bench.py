"""``./crapette bench truth``: simulates how reliable the site's ratings and verdicts are."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from analysis.ratings import pools, profile
from analysis.ratings.elo import ANCHOR_ELO, Match, expectation, fit
from analysis.ratings.scheduling import UNKNOWN_ERROR, Candidate, choose
from analysis.verdicts import anytime
from analysis.verdicts.sprt import Hypotheses, judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analysis.ratings.elo import Fit

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

HOUSE = {0: -200.0, 1: 0.0, 2: 0.0, 3: 120.0, 4: 250.0}
"""True Elo of the house's bots, from 1500 on."""
HOUSE_PAIRS = 60
FRIEND = 10
"""The bot that puppets throw their games to; it is as strong as the first anchor."""
PUPPET = 1_000
BATCH = 40
CONVENTIONS = """\
Simulated with the functions that rate and schedule on the site. A ladder has five house bots, all of them
anchors, and bots with one author each, normally distributed with a deviation of 200 Elo. It runs until no
bot asks for games. Puppets lose every game against their friend and play like an average bot against all
others; "one account" owns all of them, "accounts" own one each. In bulk: 200 deliberately lost pairs from
each are added to the pool by hand, which nobody can arrange on the site. SE: the mean standard error of the
authors' bots. Covered: how often a 95 % interval contains the true Elo. Ever wrong: how often an interval
that is checked after every pair ever misses the truth. Tests: how often the wrong hypothesis is accepted,
with 5 % intended."""


def say(text: str) -> None:
    """Print a line at once: the whole takes minutes."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass
class Ladder:
    """A simulated ladder: true strengths, owners, and what was played."""

    dice: np.random.Generator
    bots: int
    puppets: int = 0
    one_account: bool = True
    true: dict[int, float] = field(default_factory=dict)
    owners: dict[int, int] = field(default_factory=dict)
    met: dict[tuple[int, int], Counts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.true = dict(HOUSE)
        self.owners = dict.fromkeys(HOUSE, pools.HOUSE)
        for number in range(FRIEND, FRIEND + self.bots):
            self.true[number], self.owners[number] = self.dice.normal(0, 200), number
        self.true[FRIEND] = 0.0
        for number in range(PUPPET, PUPPET + self.puppets):
            self.true[number] = 0.0
            self.owners[number] = PUPPET if self.one_account else number
        for one in HOUSE:
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
        if first == FRIEND and second >= PUPPET:
            chance = 1.0
        scores = 2 * self.dice.binomial(1, chance, (pairs, 2)).sum(axis=1)
        self.met[first, second] = self.met.get((first, second), 0) + np.bincount(scores, minlength=5)

    def matches(self, *, honest: bool = False) -> list[Match]:
        """What was played; `honest`: without the games that puppets threw."""
        return [
            Match(one, other, tuple(map(int, penta)))  # type: ignore[arg-type]
            for (one, other), penta in self.met.items()
            if not (honest and one == FRIEND and other >= PUPPET)
        ]

    def rate(self, *, honest: bool = False) -> pools.Weighed:
        """The ratings, as the site computes them."""
        return pools.rate(
            self.matches(honest=honest), self.owners, {key: ANCHOR_ELO + elo for key, elo in HOUSE.items()}
        )

    def settle(self) -> pools.Weighed:
        """Play what the site's scheduler asks for until nobody asks any more."""
        while True:
            weighed = self.rate()
            couples = choose(*self._known(weighed.fit))
            if not couples:
                return weighed
            for one, other in couples:
                self.play(one, other)

    def _known(
        self, fitted: Fit
    ) -> tuple[list[Candidate], dict[int, float], int, Floats, dict[tuple[int, int], int]]:
        """What the scheduler is told: as `services.ladder` tells it."""
        place = {player: index for index, player in enumerate(fitted.players)}
        pairs = dict.fromkeys(self.true, 0)
        against: dict[tuple[int, int], int] = {}
        for (one, other), penta in self.met.items():
            for mine, his in ((one, other), (other, one)):
                pairs[mine] += int(penta.sum())
                against[mine, self.owners[his]] = against.get((mine, self.owners[his]), 0) + int(penta.sum())
        keys = list(self.true)
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


def ladders(count: int, bots: int) -> None:
    """Standard errors and coverage on ladders without puppets."""
    errors, plain, ends, pairs = [], [], [], []
    for seed in range(count):
        ladder = Ladder(np.random.default_rng(seed), bots)
        weighed = ladder.settle()
        interval = profile.ends(weighed.fit, weighed.matches)
        for key in ladder.authors:
            one, truth = weighed.fit.estimate(key), ANCHOR_ELO + ladder.true[key]
            errors.append(one.error)
            plain.append(abs(one.elo - truth) < 1.96 * one.error)
            ends.append(interval[key][0] <= truth <= interval[key][1])
            pairs.append(sum(int(p.sum()) for couple, p in ladder.met.items() if key in couple))
    say(f"\nLadder of {bots} bots, {count} times ({len(errors)} bots)")
    say(f"  SE {np.mean(errors):.1f} (target 27), pairs a bot {np.mean(pairs):.0f}")
    say(
        f"  covered by profile ends {np.mean(ends):.3f}, by ± 1.96 SE {np.mean(plain):.3f} (target 0.94-0.97)"
    )


def puppets(count: int, bots: int) -> None:
    """How far puppets move their friend and anybody else."""
    say(f"\nPuppets on a ladder of {bots} bots, {count} times: Elo moved, mean over ladders (largest)")
    say(f"  {'':24}{'friend':>18}{'innocents':>18}")
    for number in (1, 3, 10):
        for one_account in (True, False):
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
            who = "one account" if one_account else "accounts"
            say(f"  {number:2} on the ladder, {who:11}{_spread(friend)}{_spread(innocent)}")
            say(f"  {number:2} in bulk, {who:17}{_spread(bulk)}{_spread(bulk_innocent)}")


def _moved(ladder: Ladder, weighed: pools.Weighed, friend: list[float], innocent: list[float]) -> None:
    """Note how far the thrown games moved the ratings."""
    without = ladder.rate(honest=True).fit
    friend.append(weighed.fit.estimate(FRIEND).elo - without.estimate(FRIEND).elo)
    others = [key for key in ladder.authors if key != FRIEND]
    innocent.append(max(abs(weighed.fit.estimate(key).elo - without.estimate(key).elo) for key in others))


def _spread(values: list[float]) -> str:
    return f"{f'{np.mean(values):+.1f} ({max(values, key=abs):+.1f})':>18}"


def _scores(kind: str, chance: float, shape: tuple[int, int], dice: np.random.Generator) -> Counts:
    """Half points of pairs whose mean score a game is `chance`."""
    if kind == "drawish":
        drawn = min(0.6, 1.2 * min(chance, 1 - chance))
        dealt = dice.random((2, *shape))
        legs = np.where(dealt < drawn, 1, np.where(dealt < chance + drawn / 2, 2, 0))
    elif kind == "like":
        # The legs of near twins depend on each other: each wins the better seat.
        dealt = dice.random(shape)
        legs = 2 * np.stack([dealt < chance, 1 - dealt < chance])
        independent = dice.random((2, *shape)) < chance
        legs = np.where(dice.random(shape) < 0.4, legs, 2 * independent)
    else:
        legs = 2 * (dice.random((2, *shape)) < chance)
    return np.asarray(legs.sum(axis=0))


def gaps(count: int) -> None:
    """Coverage of the interval of two bots' difference."""
    say(f"\nCovered by profile ends, two bots, gaps ± 50 Elo, {count} times each (target 0.93-0.97)")
    say(f"  {'pairs':12}" + "".join(f"{gap:>8}" for gap in range(0, 801, 200)))
    dice = np.random.default_rng(11)
    for pairs in (8, 20, 75, 150):
        for kind in ("plain", "like", "drawish"):
            line = f"  {pairs:3} {kind:8}"
            for gap in range(0, 801, 200):
                held = 0
                for true in gap + dice.uniform(-50, 50, count):
                    scores = _scores(kind, expectation(true), (1, pairs), dice)[0]
                    match = Match(1, 2, tuple(map(int, np.bincount(scores, minlength=5))))  # type: ignore[arg-type]
                    low, high = profile.ends(fit([match], {2: ANCHOR_ELO}), [match])[1]
                    held += low <= ANCHOR_ELO + true <= high
                line += f"{held / count:8.3f}"
            say(line)
    say("  Few pairs far apart have two or three outcomes: no interval can be right in just 95 % of them.")


def looks(count: int, pairs: int = 1_000) -> None:
    """How often an interval that is looked at after every pair is ever wrong."""
    say(f"\nEver wrong in {pairs:,} looks, {count} times each (target 0.06)")
    dice = np.random.default_rng(12)
    reach = np.array([anytime.reach(n) if n >= anytime.FIRST else np.inf for n in range(1, pairs + 1)])
    for kind, chance in (("plain", 0.5), ("like", 0.5), ("drawish", 0.5), ("plain", 0.8)):
        wrong = 0
        for _ in range(count):
            penta = np.cumsum(np.eye(5, dtype=int)[_scores(kind, chance, (1, pairs), dice)[0]], axis=0)
            wrong += any(
                found is not None and found.excludes(chance)
                for found in (anytime.score_interval(list(row)) for row in penta[:: 1 + pairs // 1000])
            )
        say(f"  scores, {kind} at {chance:<4} {wrong / count:.3f}")
    for name, draw in (
        ("normal", dice.standard_normal),
        ("heavy tails (t, 3)", lambda n: dice.standard_t(3, n)),
    ):
        wrong = 0
        numbers = np.arange(1, pairs + 1)
        for _ in range(count):
            values = draw(pairs)
            total, squares = np.cumsum(values), np.cumsum(values**2)
            mean = total / numbers
            spread = np.maximum(
                (squares - numbers * mean**2) / np.maximum(numbers - 1, 1), 4 * mean**2 / numbers
            )
            wrong += bool((np.abs(mean) > np.sqrt(spread) * reach).any())
        say(f"  margins, {name:18} {wrong / count:.3f}")


def tests(count: int) -> None:
    """How often sequential tests decide wrongly, and after how many pairs."""
    say(f"\nSequential tests of 0 against 20 Elo at 5 %, {count} each, at most 3,000 pairs")
    dice, asked = np.random.default_rng(13), Hypotheses(0, 20, 0.05, 0.05)
    for kind in ("plain", "like", "drawish"):
        for true, wrong in ((0.0, "H1"), (20.0, "H0")):
            ends = []
            for _ in range(count):
                ends.append(judge(_scores(kind, expectation(true), (1, 3_000), dice)[0], asked))
            rate = np.mean([one.decision == wrong for one in ends])
            undecided = np.mean([not one.decision for one in ends])
            say(
                f"  {kind:8} at {true:2.0f} Elo: wrong {rate:.3f}, undecided {undecided:.3f}, "
                f"mean {np.mean([one.pairs for one in ends]):.0f} pairs",
            )


def main() -> int:
    """Run the simulations that are asked for, all by default."""
    parser = argparse.ArgumentParser(prog="./crapette bench truth", description=__doc__, epilog=CONVENTIONS)
    parser.add_argument("--quick", action="store_true", help="run a tenth of the repetitions, about a minute")
    parser.add_argument("--only", choices=("ladders", "puppets", "gaps", "looks", "tests"))
    asked = parser.parse_args()
    few = 10 if asked.quick else 1
    started = time.monotonic()
    say(CONVENTIONS)
    if asked.only in (None, "ladders"):
        ladders(max(1, 12 // few), 40)
    if asked.only in (None, "puppets"):
        puppets(max(1, 5 // few), 40)
    if asked.only in (None, "gaps"):
        gaps(1_000 // few)
    if asked.only in (None, "looks"):
        looks(500 // few)
    if asked.only in (None, "tests"):
        tests(2_000 // few)
    say(f"\n{time.monotonic() - started:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
