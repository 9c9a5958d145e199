"""Make the published value functions anew: `python -m tournaments.domain.values.train`.

The same command gives the same files (up to the last digits of another machine's floating point): deals,
players and network begin from fixed seeds. Training deals are the hashes of a published text, so that no
game of a tournament is ever among them. What the functions correct they never learn from.

`networks` are learned from games, `shares` are fitted on others: what part of the luck that the network
and the rollouts see is to be taken away, so that results vary least.
"""

from __future__ import annotations

import argparse
import json
import sys
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

import engine
from engine.deal import deal
from tournaments.domain.luck import luck_parts
from tournaments.domain.values.function import VERSION, WEIGHTS, Seen, ValueFunction, load
from tournaments.domain.values.learning import explained, learn, lesson_seed, lessons
from tournaments.domain.values.policies import greedy, perturbed, planner
from tournaments.domain.values.rollouts import Rollouts
from tournaments.domain.values.selfplay import play
from tournaments.domain.values.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.variants import Variant
    from tournaments.domain.values.policies import Policy

    Floats = NDArray[np.float64]

GAMES = 2400
HELD_OUT = 200
"""The next games show what a network learned."""
FITTED = 240
"""On so many games after those the shares are fitted."""
STARTS = 4000
NETWORK_VERSION = 1
"""The version whose networks are used: the second added rollouts to the first's."""


def train(rules: Variant) -> dict[str, Any]:
    """The network of a variant."""
    found, _ = lessons(rules, GAMES + HELD_OUT)
    known = found.games < GAMES
    network = learn(found.only(known))
    result, margin = explained(network, found.only(~known))
    return {
        "variant": rules.name,
        "games": GAMES,
        "explained": {"result": round(result, 4), "margin": round(margin, 4)},
        "network": network.as_dict(),
    }


def fit(rules: Variant, games: int) -> dict[str, Any]:
    """What part of each luck to take away, by least squares over so many games."""
    values = load(rules.name, NETWORK_VERSION)
    values = ValueFunction(rules, values.network, np.zeros(2), np.ones(2), Rollouts(rules))
    values.start = _start(values)
    rows = []
    for number in range(GAMES + HELD_OUT, GAMES + HELD_OUT + games):
        start = deal(rules, lesson_seed(rules.name, number))
        played = play(start, contenders(number))
        parts = luck_parts(start, played.words, values)
        rows.append(((played.result, played.margin), parts.deal + parts.early, parts.late))
    raw, early, late = np.asarray(rows).transpose(1, 0, 2)
    seen = np.stack([early, late], axis=1)
    best = [np.linalg.lstsq(seen[:, :, k], raw[:, k], rcond=None)[0] for k in range(2)]
    share, rollouts = np.clip(np.asarray(best).T, 0.0, 1.0).round(2)
    left = (raw - early * share - late * rollouts).var(axis=0) / raw.var(axis=0)
    return {
        "variant": rules.name,
        "version": VERSION,
        "network": NETWORK_VERSION,
        "games": games,
        "start": np.round(values.start, 4).tolist(),
        "share": share.tolist(),
        "rollouts": rollouts.tolist(),
        "left": left.round(3).tolist(),
    }


def contenders(number: int) -> list[Policy]:
    """Who plays game `number` that shares are fitted on: bots as they meet in an arena, like and unlike."""
    chance = Random(number)  # noqa: S311 (not for secrets)
    rival = (perturbed(chance, 0.01), perturbed(chance, 0.02), planner(24), perturbed(chance, 0.04))[
        number % 4
    ]
    return [greedy, rival] if number // 4 % 2 else [rival, greedy]


def _start(values: ValueFunction) -> Floats:
    """The mean value of a deal for seat 0: zero by symmetry, but where seat 0 always begins (RULES 2)."""
    if values.rules.name != "crapo":
        return np.zeros(2)
    seen = [values.look(Table(deal(values.rules, lesson_seed("crapo-start", n)))) for n in range(STARTS)]
    return np.asarray(values.value(Seen.together(seen)).mean(axis=0))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train or fit, and write."""
    parser = argparse.ArgumentParser(prog="python -m tournaments.domain.values.train", description=__doc__)
    parser.add_argument("what", choices=("networks", "shares"))
    parser.add_argument("--variant", action="append", choices=tuple(engine.VARIANTS))
    parser.add_argument("--games", type=int, default=FITTED, help="games to fit the shares on")
    given = parser.parse_args(arguments)
    WEIGHTS.mkdir(exist_ok=True)
    for name in given.variant or engine.VARIANTS:
        begun = process_time()
        rules = engine.variant(name)
        networks = given.what == "networks"
        found = train(rules) if networks else fit(rules, given.games)
        path = WEIGHTS / f"{name}-{NETWORK_VERSION if networks else VERSION}.json"
        path.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        shown = {key: value for key, value in found.items() if key != "network"}
        sys.stdout.write(f"{shown}, {process_time() - begun:.0f} s\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
