"""How sharply values are told to people: `python -m analysis.training.sharpness` writes `sharpness.json`.

A value function was fitted to games of the greedy bot with itself. Bots that play better let less slip, so
who is ahead wins more often; where few cards are hidden, bots throw more away than it thinks. Two numbers a
variant, and in `crapo` a third (`Sharpness`), fitted by maximum likelihood to games of mixed bots on deals of
their own, as their pages tell them (D. R. Cox, Biometrika 45, 1958). What pages tell depends on the numbers
in use in more ways than one, so run this twice.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from math import log
from multiprocessing import Pool
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

import engine
from analysis.searches.win_chances import chances
from analysis.training.selfplay import play
from analysis.values import SHARPNESS, covers
from analysis.values.function import Sharpness, load
from analysis.values.public_game import Table
from engine import TurnPosition
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.training.selfplay import SelfPlayGame

    Floats = NDArray[np.float64]

GAMES: Final = 1500
STEPS: Final = 30
"""Newton's method has long settled by then."""
VARIANTS: Final = tuple(filter(covers, engine.VARIANTS))
DEALS: Final = "sharpen"
"""What deals are named after, with their numbers."""


def bots_game(
    variant: str, deals: str, number: int, bots: str = "mixed"
) -> tuple[TurnPosition, SelfPlayGame]:
    """A game between two of the ways in which bots play: planners and greedy ones, some with errors
    ("mixed"); or of the house planner with itself ("planner")."""
    rng = Random(f"{deals}/{variant}/{number}")  # noqa: S311
    ways = [planner(500)]
    if bots == "mixed":
        ways += [planner(500), planner(64), planner(64), greedily, greedily]
        ways += [perturbed(rng, 0.2), perturbed(rng, 0.6)]
    start = TurnPosition.deal(variant, f"{deals}/{number}")
    return start, play(start, [rng.choice(ways), rng.choice(ways)])


def told_odds(variant: str, number: int) -> tuple[Floats, Floats, Floats]:
    """The log odds of seat 0 at each news of a game that its page tells and the solver does not decide, as if
    nothing sharpened them, (n,); how many cards were hidden; and the game's points, (n,)."""
    start, played = bots_game(variant, DEALS, number)
    values, table = load(variant), Table(start)
    told, hidden, before = list[float](), list[float](), 0.0
    for swing, word in zip(chances(start, played.words, values).swings, (*played.words, ""), strict=True):
        if swing.value != before and abs(swing.value) < 1:
            told.append(log((1 + swing.value) / (1 - swing.value)))
            hidden.append((len(table.unseen(0)) + len(table.unseen(1))) / 2)
        before = swing.value
        if word:
            table.follow(word)
    cards, points = np.asarray(hidden), np.full(len(told), 0.5 + played.result / 2)
    return values.sharpness.blunt(np.asarray(told), cards), cards, points


def fit(logs: Floats, cards: Floats, points: Floats, *, begins: bool = False) -> Sharpness:
    """The most likely sharpness, if games with such log odds and so many hidden cards made these points (0, a
    half, 1; each (n,)): a logistic regression, through the origin unless seat 0 always begins."""
    columns = np.column_stack([logs, logs * cards, np.ones(len(logs))])[:, : 3 if begins else 2]
    found = np.array([1.0, 0.0, 0.0])[: columns.shape[1]]
    for _ in range(STEPS):
        told = 1 / (1 + np.exp(-columns @ found))
        found += np.linalg.solve((columns.T * (told * (1 - told))) @ columns, columns.T @ (points - told))
    return Sharpness(*(round(float(one), 4) for one in found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="only this (again for more)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"a variant ({GAMES})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (as many as processors)")
    given = parser.parse_args(arguments)
    found = json.loads(SHARPNESS.read_text("utf-8"))
    with Pool(given.jobs) as pool:
        for variant in given.variant or VARIANTS:
            parts = pool.starmap(told_odds, [(variant, number) for number in range(given.games)], chunksize=8)
            logs, cards, points = (np.concatenate(part) for part in zip(*parts, strict=True))
            found[variant] = asdict(fit(logs, cards, points, begins=load(variant).start[0] != 0))
            sys.stdout.write(f"{variant}: {found[variant]} from {len(logs)} positions\n")
    rows = ",\n".join(f' "{variant}": {json.dumps(found[variant])}' for variant in VARIANTS)
    SHARPNESS.write_text(f"{{\n{rows}\n}}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
