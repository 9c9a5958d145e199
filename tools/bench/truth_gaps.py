"""How often the interval of two bots' difference holds the truth: counted over all results where they can be,
simulated where they are too many, and compared with what few results allow at all."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import lgamma

import numpy as np

from analysis.ratings import profile_intervals
from analysis.ratings.elo import ANCHOR_ELO, expectation, fit
from analysis.ratings.match_arrays import Match
from tools.bench.tables import Table, say
from tools.bench.truth_verdicts import scores

Penta = tuple[int, int, int, int, int]
Floats = np.typing.NDArray[np.float64]
Counts = np.typing.NDArray[np.int64]

LEAST, MOST = 0.93, 0.97
KINDS = ("plain", "like", "drawish")
GAPS = (0, 200, 400, 600, 800)
COUNTED = (8, 20)
"""Numbers of pairs of which all results are counted: 495 and 10,626."""
SIMULATED = (75, 150)
WINDOW = 50
"""Elo: true differences about each gap are averaged, because coverage jumps from one to the next."""


def gaps(count: int, table: Table) -> None:
    """Coverage of the interval of two bots' difference."""
    table.title(f"Covered by the 95 % interval, two bots, gaps ± {WINDOW} Elo: all results counted")
    for pairs in COUNTED:
        for kind in KINDS:
            for gap in GAPS:
                found = [counted(kind, pairs, gap + off) for off in range(-WINDOW, WINDOW + 1, 5)]
                _line(table, pairs, kind, gap, float(np.mean(found)), 0.0)
        if pairs == COUNTED[0]:
            _say_what_is_possible(pairs, GAPS[-1])
    table.title(f"Covered by the 95 % interval, two bots, gaps ± {WINDOW} Elo: {count:,} simulated each")
    dice = np.random.default_rng(11)
    # Twice the simulation's own error is not held against it.
    slack = 2 * float(np.sqrt(0.05 * 0.95 / count))
    for pairs in SIMULATED:
        for kind in KINDS:
            for gap in GAPS:
                held = 0
                for true in gap + dice.uniform(-WINDOW, WINDOW, count):
                    made = scores(kind, expectation(true), (pairs,), dice)
                    low, high = interval(tuple(map(int, np.bincount(made, minlength=5))))
                    held += low <= ANCHOR_ELO + true <= high
                _line(table, pairs, kind, gap, held / count, slack)


def _line(table: Table, pairs: int, kind: str, gap: int, seen: float, slack: float) -> None:
    """Print a line: as wanted, or as near to it as so few results allow."""
    wanted, holds = f"{LEAST}-{MOST}", LEAST - slack <= seen <= MOST + slack
    if not holds and seen > MOST and possible("plain", pairs, gap) > MOST:
        nearest = possible(kind, pairs, gap)
        wanted, holds = f"least: {nearest:.3f}", seen <= nearest + slack + 5e-4
    table.line(f"{pairs} pairs, {kind}, {gap} Elo", f"{seen:.3f}", wanted, holds)


@cache
def interval(penta: Penta) -> tuple[float, float]:
    """The 95 % interval of a bot that met an anchor only."""
    match = Match(1, 2, penta)
    return profile_intervals.ends(fit([match], {2: ANCHOR_ELO}), [match])[1]


@cache
def _results(pairs: int) -> tuple[Counts, Floats, Floats]:
    """All results of so many pairs, the logarithm of how many orders each has, and each one's interval."""
    found = []
    for bars in combinations(range(pairs + 4), 4):
        ends = (-1, *bars, pairs + 4)
        found.append(tuple(after - before - 1 for before, after in pairwise(ends)))
    pentas = np.array(found)
    logs = np.array([lgamma(number + 1) for number in range(pairs + 1)])
    ends_of = np.array([interval(tuple(map(int, penta))) for penta in pentas])
    return pentas, logs[pairs] - logs[pentas].sum(axis=1), ends_of - ANCHOR_ELO


def counted(kind: str, pairs: int, true: float) -> float:
    """How often the interval holds this true difference, exactly."""
    pentas, orders, ends = _results(pairs)
    odds = orders + pentas @ np.log(np.maximum(pair_odds(kind, expectation(true)), 1e-300))
    return float(np.exp(odds)[(ends[:, 0] <= true) & (true <= ends[:, 1])].sum())


def pair_odds(kind: str, chance: float) -> Floats:
    """How likely a pair makes 0 to 4 half points, as `scores` draws them."""
    best = max(chance, 1 - chance)
    drawn = min(0.6, 1.2 * (1 - best)) if kind == "drawish" else 0.0
    leg = np.array([1 - best - drawn / 2, drawn, best - drawn / 2])
    odds = np.convolve(leg, leg)
    if kind == "like":
        odds = 0.4 * np.array([0.0, 0.0, 2 * (1 - best), 0.0, 2 * best - 1]) + 0.6 * odds
    return np.asarray(odds if chance >= 0.5 else odds[::-1])


def possible(kind: str, pairs: int, gap: float) -> float:
    """The least coverage of bots of a kind, `gap` ± 50 Elo apart, if that of all kinds is to be 0.93 or more.

    It holds for any interval whose ends rise with the score. Such an interval contains a true difference
    after all scores from some score to another. So few pairs do not tell which kind the bots are.
    """
    return float(
        np.mean(
            [
                next(one for one in _steps(pairs, float(true)) if min(one.values()) >= LEAST)[kind]
                for true in np.linspace(gap - WINDOW, gap + WINDOW, 21)
            ]
        )
    )


def _steps(pairs: int, true: float) -> list[dict[str, float]]:
    """By kind, how likely the likeliest score is, the two likeliest next to each other, and so on."""
    totals = {}
    for kind in KINDS:
        total = np.ones(1)
        for _ in range(pairs):
            total = np.convolve(total, pair_odds(kind, expectation(true)))
        totals[kind] = total
    plain, found = totals["plain"], []
    low = high = int(np.argmax(plain))
    while True:
        found.append({kind: float(total[low : high + 1].sum()) for kind, total in totals.items()})
        below = plain[: max(low, 0)].max(initial=-1.0)
        above = plain[high + 1 :].max(initial=-1.0)
        if below < 0 and above < 0:
            return found
        if below >= above:
            low = int(np.flatnonzero(plain[:low] == below)[-1])
        else:
            high += 1 + int(np.flatnonzero(plain[high + 1 :] == above)[0])


def _say_what_is_possible(pairs: int, gap: int) -> None:
    """Print why no interval covers what is wanted where few pairs are far apart."""
    say(f"  What any interval can do whose ends rise with the score: {pairs} pairs, {gap} Elo apart")
    for number, one in enumerate(_steps(pairs, gap)[:3], 1):
        told = ", ".join(f"{kind} {covered:.4f}" for kind, covered in one.items())
        say(f"    holds the truth after the {number} likeliest score{'s' * (number > 1)}: {told}")
