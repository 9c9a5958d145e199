"""Make the published value functions anew: `python -m tournaments.domain.values.train`.

The same command gives the same files (up to the last digits of another machine's floating point): deals,
players and network begin from fixed seeds. Training deals are the hashes of a published text, so that no
game of a tournament is ever among them. What the functions correct they never learn from.
"""

from __future__ import annotations

import argparse
import json
import sys
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

import engine
from engine.deal import deal
from tournaments.domain.luck import game_luck
from tournaments.domain.values.function import VERSION, WEIGHTS, Seen, ValueFunction
from tournaments.domain.values.learning import explained, learn, lesson_seed, lessons
from tournaments.domain.values.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.position import Position
    from engine.variants import Variant
    from tournaments.domain.values.selfplay import Played

GAMES = 2400
HELD_OUT = 200
"""The last games are not learned from: on them is chosen what share of the luck to take away."""
STARTS = 4000


def train(rules: Variant, games: int, held_out: int) -> dict[str, Any]:
    """The content of a variant's file."""
    begun = process_time()
    found, played = lessons(rules, games + held_out)
    known = found.games < games
    network = learn(found.only(known))
    values = ValueFunction(rules, network, np.zeros(2), np.ones(2))
    values.start = _start(values)
    values.share = _share(values, played[games:])
    result, margin = explained(network, found.only(~known))
    return {
        "variant": rules.name,
        "version": VERSION,
        "games": games,
        "explained": {"result": round(result, 4), "margin": round(margin, 4)},
        "start": np.round(values.start, 4).tolist(),
        "share": np.round(values.share, 2).tolist(),
        "network": network.as_dict(),
        "seconds": round(process_time() - begun),
    }


def _start(values: ValueFunction) -> NDArray[np.float64]:
    """The mean value of a deal for seat 0: zero by symmetry, but where seat 0 always begins (RULES 2)."""
    if values.rules.name != "crapo":
        return np.zeros(2)
    seen = [values.look(Table(deal(values.rules, lesson_seed("crapo-start", n)))) for n in range(STARTS)]
    return np.asarray(values.value(Seen.together(seen)).mean(axis=0))


def _share(values: ValueFunction, played: Sequence[tuple[Position, Played]]) -> NDArray[np.float64]:
    """Of the luck that is seen, how much to take away so that the games held out vary least."""
    pairs = []
    for start, game in played:
        luck = game_luck(start, game.words, values)
        pairs.append(((game.result, game.margin), (luck.result, luck.margin)))
    raw, seen = np.asarray(pairs).transpose(1, 0, 2)
    share = (raw * seen).mean(axis=0) / np.maximum((seen**2).mean(axis=0), 1e-12)
    return np.asarray(np.clip(share, 0.0, 1.0))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(prog="python -m tournaments.domain.values.train", description=__doc__)
    parser.add_argument("--variant", action="append", choices=tuple(engine.VARIANTS))
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--held-out", type=int, default=HELD_OUT)
    given = parser.parse_args(arguments)
    WEIGHTS.mkdir(exist_ok=True)
    for name in given.variant or engine.VARIANTS:
        found = train(engine.variant(name), given.games, given.held_out)
        seconds = found.pop("seconds")
        path = WEIGHTS / f"{name}-{VERSION}.json"
        path.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        sys.stdout.write(
            f"{name}: {seconds} s, explains {found['explained']}, share {found['share']}, "
            f"{path.stat().st_size} bytes\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
