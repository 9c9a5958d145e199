"""How sharply values are told to people: `python -m analysis.training.sharpness` writes `sharpness.json`.

A value function was fitted to games of the greedy bot with itself. Bots that play better let less slip, so
who is ahead wins more often. One number a variant, fitted by maximum likelihood to games of mixed bots on
deals of their own: what the log odds are multiplied by (D. R. Cox, Biometrika 45, 1958).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from multiprocessing import Pool
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

import engine
from analysis.searches.stretches import stretches
from analysis.searches.win_chances import End
from analysis.training.selfplay import play
from analysis.values import SHARPNESS, covers
from analysis.values.function import MOST, Seen, load
from analysis.values.public_game import Table
from engine import TurnPosition
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.training.selfplay import SelfPlayGame

    Floats = NDArray[np.float64]

GAMES: Final = 600
STEPS: Final = 30
"""Newton's method has long settled by then."""
STARTS: Final = "sharpen"
"""What deals are named after, with their numbers."""


def mixed_game(
    variant: str, deals: str, number: int, *, mixed: bool = True
) -> tuple[TurnPosition, SelfPlayGame]:
    """A game between two of the ways in which bots play: planners and greedy ones, some with errors; or else
    of the house planner with itself."""
    rng = Random(f"{deals}/{variant}/{number}")  # noqa: S311
    bots = [planner(500)]
    if mixed:
        bots += [planner(500), planner(64), planner(64), greedily, greedily]
        bots += [perturbed(rng, 0.2), perturbed(rng, 0.6)]
    start = TurnPosition.deal(variant, f"{deals}/{number}")
    return start, play(start, [rng.choice(bots), rng.choice(bots)])


def odds(variant: str, number: int) -> tuple[Floats, Floats]:
    """The log odds of seat 0 at each news of a game in which a card is hidden, and the game's points."""
    start, played = mixed_game(variant, STARTS, number)
    table, values = Table(start), load(variant)
    ends = [End.of(values, one.played) for one in stretches(table, played.words) if one.played.table.hidden]
    seen = [end.seen for end in ends]
    if not seen:
        return np.zeros(0), np.zeros(0)
    found = values.value(Seen.together(seen))[:, 0]
    firsts = np.cumsum([0, *(len(end.weights) for end in ends[:-1])])
    at = firsts + np.asarray([end.actual for end in ends])
    won = np.clip(0.5 + found[at] / 2, 1 - MOST, MOST)
    return np.log(won / (1 - won)), np.full(len(at), 0.5 + played.result / 2)


def fit(logs: Floats, points: Floats) -> float:
    """The slope of a logistic regression of points (0, a half, 1) on log odds, through the origin."""
    slope = 1.0
    for _ in range(STEPS):
        told = 1 / (1 + np.exp(-slope * logs))
        slope += float((logs * (points - told)).sum() / (logs**2 * told * (1 - told)).sum())
    return slope


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=GAMES, help=f"a variant ({GAMES})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (as many as processors)")
    given = parser.parse_args(arguments)
    found = {}
    with Pool(given.jobs) as pool:
        for variant in filter(covers, engine.VARIANTS):
            parts = pool.starmap(odds, [(variant, number) for number in range(given.games)], chunksize=8)
            logs, points = (np.concatenate(part) for part in zip(*parts, strict=True))
            found[variant] = round(fit(logs, points), 2)
            sys.stdout.write(f"{variant}: {found[variant]} from {len(logs)} positions\n")
    SHARPNESS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
