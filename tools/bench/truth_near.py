"""Simulated tests of versions that hardly differ: most pairs are exactly level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from analysis.ratings.elo import expectation
from analysis.verdicts.sequential import by_margins, by_results, effects
from analysis.verdicts.sprt import Hypotheses, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from analysis.verdicts.sequential import SequentialEvidence
    from analysis.verdicts.sprt import Verdict
    from tools.bench.truth_table import Table

    Floats = NDArray[np.float64]
    Decide = Callable[[Floats], Verdict | SequentialEvidence]

MOST_PAIRS = 2_000
BOUNDS = ((-10.0, 0.0), (0.0, 20.0), (-5.0, 5.0), (0.0, 5.0))
SHARES = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1)
"""How many pairs are not level."""

WON = {"always lost": 0.0, "mostly lost": 0.2, "either way": 0.5, "mostly won": 0.8, "always won": 1.0}
"""How many of those the new version wins."""


def near(count: int, table: Table) -> None:
    """How often tests of such versions are wrong: the worst of the ways in which they can differ.

    Two of these ways are as often won as makes the difference exactly that of a bound.
    """
    dice = np.random.default_rng(14)
    table.title(
        f"Versions that hardly differ, tests at 5 %, {count} each, at most {MOST_PAIRS:,} pairs: wrong"
    )
    for bounds in BOUNDS:
        asked = Hypotheses(*bounds)
        means = tuple(expectation(elo) - 0.5 for elo in bounds)
        tests: dict[str, tuple[Decide, tuple[float, ...], bool]] = {
            "wins": (partial(_by_wins, asked), means, False),
            "results": (partial(_by, by_results, asked), means, False),
            "margins": (partial(_by, by_margins, asked), effects(asked), True),
        }
        for name, (decide, ends, scaled) in tests.items():
            for share in SHARES:
                what = f"{name}, {bounds[0]:+g} to {bounds[1]:+g} Elo, {100 * share:g} % unlike"
                _line(what, _Ways(share, ends, scaled), decide, dice, count, table)


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


def _line(
    what: str, ways: _Ways, decide: Decide, dice: np.random.Generator, count: int, table: Table
) -> None:
    """Simulate one share of unlike pairs in every way that makes a hypothesis false."""
    worst, by, lengths = -1.0, "", []
    for way, won, wrong in ways:
        found = [decide(_pairs(ways.share, won, dice)) for _ in range(count)]
        lengths.append(float(np.mean([one.pairs for one in found])))
        rate = float(np.mean([one.decision == wrong for one in found]))
        if rate > worst:
            worst, by = rate, way
    if by:
        # The worst of several is above its mean: three of the simulation's own standard errors.
        slack = 3 * np.sqrt(0.05 * 0.95 / count)
        seen = f"{worst:.3f} ({by}; {min(lengths):.0f} to {max(lengths):.0f} pairs)"
        table.line(what, seen, "0.05", worst <= 0.05 + slack)


def _pairs(share: float, won: float, dice: np.random.Generator) -> Floats:
    unlike = dice.random(MOST_PAIRS) < share
    return np.asarray(np.where(unlike, np.where(dice.random(MOST_PAIRS) < won, 0.5, -0.5), 0.0))


def _by(
    test: Callable[[list[float], Hypotheses], SequentialEvidence], asked: Hypotheses, values: Floats
) -> SequentialEvidence:
    return test(list(values), asked)


def _by_wins(asked: Hypotheses, values: Floats) -> Verdict:
    """The pentanomial test, on the first pairs if they decide it."""
    scores = list(np.asarray(4 * values + 2, dtype=int))
    found = judge(scores[:400], asked)
    return found if found.decision else judge(scores, asked)
