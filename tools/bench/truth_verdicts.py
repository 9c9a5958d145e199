"""Simulated verdicts: looks that never end, sequential tests, and tests of versions that hardly differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from analysis import intervals
from analysis.ratings.elo import expectation
from analysis.verdicts import sequential
from analysis.verdicts.sprt import NORMALISED, Hypotheses, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from analysis.verdicts.sequential import SequentialEvidence
    from analysis.verdicts.sprt import Verdict
    from tools.bench.tables import Table

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]
    Decide = Callable[[Floats], Verdict | SequentialEvidence]
    Margins = Callable[[np.random.Generator, int], Floats]

MOST_PAIRS = 3_000
SOON = 800
"""Most tests are decided by then; only the others are played on."""
NEAR_PAIRS = 2_000
BOUNDS = ((-10.0, 0.0), (0.0, 20.0), (-5.0, 5.0), (0.0, 5.0))
SHARES = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1)
"""How many pairs are not level."""

WON = {"always lost": 0.0, "mostly lost": 0.2, "either way": 0.5, "mostly won": 0.8, "always won": 1.0}
"""How many of those the new version wins."""


def scores(kind: str, chance: float, shape: tuple[int, ...], dice: np.random.Generator) -> Counts:
    """Half points of pairs whose mean score a game is `chance`."""
    legs = _legs(kind, np.full((2, *shape), chance), dice)
    return np.asarray(legs.sum(axis=0))


def _legs(kind: str, chances: Floats, dice: np.random.Generator) -> Counts:
    """Half points of both games of pairs with these chances."""
    if kind == "drawish":
        drawn = np.minimum(0.6, 1.2 * np.minimum(chances, 1 - chances))
        dealt = dice.random(chances.shape)
        return np.where(dealt < drawn, 1, np.where(dealt < chances + drawn / 2, 2, 0))
    independent = 2 * (dice.random(chances.shape) < chances)
    if kind != "like":
        return np.asarray(independent)
    # The legs of near twins depend on each other: each wins the better seat.
    dealt = dice.random(chances.shape[1:])
    tied = 2 * np.stack([dealt < chances[0], 1 - dealt < chances[1]])
    return np.asarray(np.where(dice.random(chances.shape[1:]) < 0.4, tied, independent))


def looks(count: int, table: Table, pairs: int = 1_000) -> None:
    """How often an interval that is looked at after every pair is ever wrong."""
    table.title(f"Ever wrong in {pairs:,} looks, {count} times each")
    dice = np.random.default_rng(12)
    for kind, chance in (("plain", 0.5), ("like", 0.5), ("drawish", 0.5), ("plain", 0.8)):
        wrong = 0
        for _ in range(count):
            penta = np.cumsum(np.eye(5, dtype=int)[scores(kind, chance, (pairs,), dice)], axis=0)
            wrong += any(
                found is not None and found.excludes(chance)
                for found in (intervals.anytime_score(list(row)) for row in penta)
            )
        table.line(f"scores, {kind}, {chance} a game", f"{wrong / count:.3f}", "0.06", wrong / count <= 0.06)
    numbers = np.arange(1, pairs + 1)
    wide = [intervals.reach(n, intervals.FAR_TAIL) for n in range(intervals.FIRST, pairs + 1)]
    for kind, draw in MARGINS.items():
        wrong, times = 0, 4 * count
        for _ in range(times):
            values = draw(dice, pairs)
            total, squares = np.cumsum(values), np.cumsum(values**2)
            mean = total / numbers
            spread = np.maximum(
                (squares - numbers * mean**2) / np.maximum(numbers - 1, 1), 4 * mean**2 / numbers
            )
            away = np.abs(mean) / np.sqrt(np.maximum(spread, 1e-300))
            wrong += bool((away[intervals.FIRST - 1 :] > wide).any())
        table.line(f"margins, {kind}", f"{wrong / times:.3f}", "0.06", wrong / times <= 0.06)


def _drawish_margins(dice: np.random.Generator, pairs: int) -> Floats:
    """Margins of which half are level."""
    return np.asarray(np.where(dice.random(pairs) < 0.5, 0.0, np.sqrt(2) * dice.standard_normal(pairs)))


def _unlike_margins(dice: np.random.Generator, pairs: int) -> Floats:
    """Margins with a long tail on one side, the mean of two games."""
    return np.asarray(-np.sqrt(2) * (dice.exponential(1, (2, pairs)).mean(axis=0) - 1))


def _heavy_margins(dice: np.random.Generator, pairs: int) -> Floats:
    """Margins by Student's t with three degrees of freedom."""
    return np.asarray(dice.standard_t(3, pairs) / np.sqrt(3))


MARGINS: dict[str, Margins] = {
    "like": lambda dice, pairs: dice.standard_normal(pairs),
    "unlike (skewed)": _unlike_margins,
    "drawish": _drawish_margins,
    "heavy tails": _heavy_margins,
}
"""Margins of pairs without luck, of mean 0 and variance 1."""

RANGES = {"plain": (0, 20), "like": (0, 20), "drawish": (0, 20), "unlike": (150, 170)}
"""What is tested in Elo, by how bots play."""


def tests(count: int, table: Table) -> None:
    """How often sequential tests decide wrongly, and after how many pairs."""
    dice = np.random.default_rng(13)
    table.title(f"Sequential tests at 5 %, {count} each, at most {MOST_PAIRS:,} pairs: wrong (mean pairs)")
    for kind, (low, high) in RANGES.items():
        asked = Hypotheses(low, high)
        _wrong(
            f"pentanomial, {kind}",
            partial(_scores_of, kind, dice),
            partial(judge, hypotheses=asked),
            (low, high),
            count,
            table,
        )
    for kind, (low, high) in RANGES.items():
        asked = Hypotheses(low, high)
        _wrong(
            f"luck-adjusted results, {kind}",
            partial(_fair_results, kind, dice),
            partial(sequential.by_results, asked=asked),
            (low, high),
            count,
            table,
        )
    asked, normalised = Hypotheses(0, 20), Hypotheses(0, 20, normalised=True)
    for kind, draw in MARGINS.items():
        _wrong(
            f"luck-adjusted margins, {kind}",
            partial(_ahead, draw, sequential.effects(asked)[1] / 20, dice),
            partial(sequential.by_margins, asked=asked),
            (0, 20),
            count,
            table,
        )
    # Of even games six in ten are drawn, so a game's standard deviation is the root of 0.1.
    _wrong(
        "pentanomial in normalised Elo, drawish",
        lambda true, pairs: scores("drawish", 0.5 + true / NORMALISED * np.sqrt(0.1), (pairs,), dice),
        partial(judge, hypotheses=normalised),
        (0, 20),
        count,
        table,
    )


def _scores_of(kind: str, dice: np.random.Generator, elo: float, pairs: int) -> Counts:
    """Half points of pairs of two that are so many Elo apart."""
    return scores(kind, expectation(elo), (pairs,), dice)


def _ahead(draw: Margins, effect: float, dice: np.random.Generator, elo: float, pairs: int) -> Floats:
    """Margins whose mean is `effect` standard deviations an Elo."""
    return draw(dice, pairs) + elo * effect


def _fair_results(kind: str, dice: np.random.Generator, elo: float, pairs: int) -> Floats:
    """Pairs' scores a game less a half, of which the known part of the luck is taken out."""
    chance = expectation(elo)
    reach = min(0.4, 0.95 * (1 - chance), 0.95 * chance)
    luck = dice.uniform(-reach, reach, (2, pairs))
    if kind == "like":
        luck[1] = -luck[0]
    legs = _legs(kind, chance + luck, dice)
    return np.asarray((legs / 2 - luck).mean(axis=0) - 0.5)


def _wrong(
    name: str,
    draw: Callable[[float, int], Floats | Counts],
    decide: Callable[..., Verdict | SequentialEvidence],
    ends: tuple[float, float],
    count: int,
    table: Table,
) -> None:
    """Note how often tests of these two differences accept the one that is false."""
    for true, wrong in zip(ends, ("H1", "H0"), strict=True):
        found = []
        for _ in range(count):
            values = draw(true, MOST_PAIRS)
            one = decide(values[:SOON])
            found.append(one if one.decision else decide(values))
        rate = float(np.mean([one.decision == wrong for one in found]))
        undecided = float(np.mean([not one.decision for one in found]))
        pairs = np.mean([one.pairs for one in found])
        slack = 2 * np.sqrt(0.05 * 0.95 / count)
        still = f", {100 * undecided:.0f} % open" if undecided >= 0.005 else ""
        seen = f"{rate:.3f} ({pairs:.0f}{still})"
        table.line(f"{name}, truth {true:.0f} Elo", seen, "0.05", rate <= 0.05 + slack)


def near(count: int, table: Table) -> None:
    """How often tests of such versions are wrong: the worst of the ways in which they can differ.

    Two of these ways are as often won as makes the difference exactly that of a bound.
    """
    dice = np.random.default_rng(14)
    table.title(
        f"Versions that hardly differ, tests at 5 %, {count} each, at most {NEAR_PAIRS:,} pairs: wrong"
    )
    for bounds in BOUNDS:
        asked = Hypotheses(*bounds)
        means = tuple(expectation(elo) - 0.5 for elo in bounds)
        tests: dict[str, tuple[Decide, tuple[float, ...], bool]] = {
            "wins": (partial(_by_wins, asked), means, False),
            "results": (partial(_by_numbers, sequential.by_results, asked), means, False),
            "margins": (partial(_by_numbers, sequential.by_margins, asked), sequential.effects(asked), True),
        }
        for name, (decide, ends, scaled) in tests.items():
            for share in SHARES:
                what = f"{name}, {bounds[0]:+g} to {bounds[1]:+g} Elo, {100 * share:g} % unlike"
                _worst_way(what, _Ways(share, ends, scaled), decide, dice, count, table)


@dataclass(frozen=True)
class _Ways:
    """The ways in which so many pairs can be unlike, and what is tested about them.

    `ends` are mean scores less a half, or with `scaled` means in standard deviations.
    """

    share: float
    ends: tuple[float, ...]
    scaled: bool

    def __iter__(self) -> Iterator[tuple[str, float, str]]:
        """Yield each way in which a hypothesis is false: in words, how many are won, and the false one."""
        for name, won in self._all():
            mean = self.share * (won - 0.5)
            truth = mean / np.sqrt(self.share / 4 - mean**2) if self.scaled else mean
            if truth <= self.ends[0] + 1e-9:
                yield name, won, "H1"
            elif truth >= self.ends[1] - 1e-9:
                yield name, won, "H0"

    def _all(self) -> Iterator[tuple[str, float]]:
        yield from WON.items()
        for name, end in zip(("at the lower bound", "at the upper bound"), self.ends, strict=True):
            most = np.sqrt(self.share * (1 + end**2)) * 2 if self.scaled else self.share
            if abs(end / most) <= 0.5:
                yield name, float(0.5 + end / most)


def _worst_way(
    what: str, ways: _Ways, decide: Decide, dice: np.random.Generator, count: int, table: Table
) -> None:
    """Simulate one share of unlike pairs in every way that makes a hypothesis false."""
    worst, by, lengths = -1.0, "", []
    for way, won, wrong in ways:
        found = [decide(_unlike_pairs(ways.share, won, dice)) for _ in range(count)]
        lengths.append(float(np.mean([one.pairs for one in found])))
        rate = float(np.mean([one.decision == wrong for one in found]))
        if rate > worst:
            worst, by = rate, way
    if by:
        # The worst of several is above its mean: three of the simulation's own standard errors.
        slack = 3 * np.sqrt(0.05 * 0.95 / count)
        seen = f"{worst:.3f} ({by}; {min(lengths):.0f} to {max(lengths):.0f} pairs)"
        table.line(what, seen, "0.05", worst <= 0.05 + slack)


def _unlike_pairs(share: float, won: float, dice: np.random.Generator) -> Floats:
    unlike = dice.random(NEAR_PAIRS) < share
    return np.asarray(np.where(unlike, np.where(dice.random(NEAR_PAIRS) < won, 0.5, -0.5), 0.0))


def _by_numbers(
    test: Callable[[list[float], Hypotheses], SequentialEvidence], asked: Hypotheses, values: Floats
) -> SequentialEvidence:
    return test(list(values), asked)


def _by_wins(asked: Hypotheses, values: Floats) -> Verdict:
    """The pentanomial test, on the first pairs if they decide it."""
    scores = list(np.asarray(4 * values + 2, dtype=int))
    found = judge(scores[:400], asked)
    return found if found.decision else judge(scores, asked)
