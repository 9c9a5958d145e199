"""Recreates the published value functions: `python -m analysis.training.train`.

The same command gives the same files (up to the last digits of another machine's floating point): deals,
players and network start from fixed seeds. Training deals are hashes of a published text, so no tournament
game is ever among them. The functions never learn from games that they correct.

`networks` are learned from games, `shares` are fitted on others: what part of the luck that the network
and the rollouts see is to be taken away, so that results vary least, and in how many ways games are played on
so that this is not noise.
"""

from __future__ import annotations

import argparse
import json
import sys
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import engine
from analysis.luck.measurement import luck_parts, tick_luck_parts
from analysis.training.selfplay import NODES, play
from analysis.training.value_network import explain_variance, learn, lesson_seed, lessons
from analysis.values import FITTED_VERSION, WEIGHTS
from analysis.values.function import TICK_PHASES, Rollouts, Seen, TickValues, ValueFunction, load
from analysis.values.public_game import Table
from engine import TickPosition, TurnPosition
from engine.policies import bots
from engine.ticks.position import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.policies.tick_greedy import TickPolicy
    from engine.variants import Variant

    Floats = NDArray[np.float64]

TICK_NOISE: Final = 0.1
"""Half of `NOISE`: a game in ticks is played on in less than half the time of one of turns."""
WAYS: Final = (32, 48, 64, 96, 128)
"""To choose from. With fewer the noise hides: shares become small, and little is taken away."""
NOISE: Final = 0.2
"""The most that chance in the ways may make of the variance of adjusted results: one in five of the games
that it takes to be sure of something."""


def fit_in_ticks(
    numbers: Sequence[int],
    contenders: Callable[[str, int], Sequence[TickPolicy]],
    ways: tuple[int, ...] = WAYS,
) -> dict[str, Any]:
    """The published file's contents, by least squares over such games; `ways` are tried in turn."""
    played = []
    for number in numbers:
        start = TickPosition.deal(NAME, lesson_seed(NAME, number))
        played.append((start, play(start, contenders(NAME, number))))

    def see(ways: int, seed: int) -> Floats:
        values = TickValues(ways=ways, seed=seed)
        found = [tick_luck_parts(start, game.words, values) for start, game in played]
        first = np.arange(len(TICK_PHASES))[:, None] == 0
        return np.asarray([parts.cards + first * parts.deal for parts in found])

    found = quiet(np.asarray([(game.result, game.margin) for _, game in played]), see, ways, TICK_NOISE)
    return {
        "variant": NAME,
        "version": FITTED_VERSION,
        "games": len(numbers),
        **found.as_dict(),
        "phases": TICK_PHASES,
        "shares": found.shares.tolist(),
    }


GAMES = 2400
HELD_OUT = 200
"""The next games show what a network learned."""
FITTED = 240
"""The number of later games on which the shares are fitted."""
STARTS = 4000
NETWORK_VERSION = 1
"""The version whose networks are used: later ones added rollouts to the first's."""


def train(rules: Variant) -> dict[str, Any]:
    """The network of a variant."""
    found, _ = lessons(rules, GAMES + HELD_OUT)
    known = found.games < GAMES
    network = learn(found.only(known))
    result, margin = explain_variance(network, found.only(~known))
    return {
        "variant": rules.name,
        "games": GAMES,
        "explained": {"result": round(result, 4), "margin": round(margin, 4)},
        "network": network.as_dict(),
    }


def fit(rules: Variant, numbers: Sequence[int]) -> dict[str, Any]:
    """Fit the share of each kind of luck to subtract, by least squares over games with these numbers."""
    values = ValueFunction(rules, load(rules.name, NETWORK_VERSION).network, np.zeros(2), np.ones(2))
    values.start = _start(values)
    played = []
    for number in numbers:
        start = TurnPosition.deal(rules, lesson_seed(rules.name, number))
        played.append((start, play(start, contenders(rules.name, number))))

    def see(ways: int, seed: int) -> Floats:
        values.rollouts = Rollouts(ways=ways, seed=seed)
        found = [luck_parts(start, game.words, values) for start, game in played]
        return np.asarray([(parts.deal, *parts.cards) for parts in found])

    found = quiet(np.asarray([(game.result, game.margin) for _, game in played]), see)
    share, *rollouts = found.shares.tolist()
    return {
        "variant": rules.name,
        "version": FITTED_VERSION,
        "network": NETWORK_VERSION,
        "games": len(numbers),
        **found.as_dict(),
        "start": np.round(values.start, 4).tolist(),
        "share": share,
        "rollouts": rollouts,
    }


def contenders(variant: str, number: int) -> list[Any]:
    """Who plays game `number` that shares are fitted on: bots as they meet in an arena, like and unlike."""
    chance = Random(number)  # noqa: S311 (not for secrets)
    greedy, planner, perturbed = bots(engine.variant(variant), NODES)
    rival = (perturbed(chance, 0.01), perturbed(chance, 0.02), planner, perturbed(chance, 0.04))[number % 4]
    return [greedy, rival] if number // 4 % 2 else [rival, greedy]


def _start(values: ValueFunction) -> Floats:
    """The mean value of a deal for seat 0: zero by symmetry, but where seat 0 always begins (RULES 2)."""
    if values.rules.name != "crapo":
        return np.zeros(2)
    seen = [
        values.look(Table(TurnPosition.deal(values.rules, lesson_seed("crapo-start", n))))
        for n in range(STARTS)
    ]
    return np.asarray(values.value(Seen.together(seen)).mean(axis=0))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train or fit, and write the files."""
    parser = argparse.ArgumentParser(prog="python -m analysis.training.train", description=__doc__)
    parser.add_argument("what", choices=("networks", "shares"))
    parser.add_argument("--variant", action="append", choices=tuple(engine.VARIANTS))
    parser.add_argument("--games", type=int, default=FITTED, help="games to fit the shares on")
    given = parser.parse_args(arguments)
    WEIGHTS.mkdir(exist_ok=True)
    networks = given.what == "networks"
    in_ticks = [name for name, rules in engine.VARIANTS.items() if rules.in_ticks]
    for name in given.variant or ():
        if networks and name in in_ticks:
            parser.error(
                f"expected a variant with a network, got {name!r}: there games are played on from the start"
            )
    numbers = range(GAMES + HELD_OUT, GAMES + HELD_OUT + given.games)
    for name in given.variant or [each for each in engine.VARIANTS if not (networks and each in in_ticks)]:
        begun = process_time()
        if name in in_ticks:
            found = fit_in_ticks(numbers, contenders)
        else:
            rules = engine.variant(name)
            found = train(rules) if networks else fit(rules, numbers)
        path = WEIGHTS / f"{name}-{NETWORK_VERSION if networks else FITTED_VERSION}.json"
        path.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        shown = {key: value for key, value in found.items() if key != "network"}
        sys.stdout.write(f"{shown}, {process_time() - begun:.0f} s\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())


class SharesFit(NamedTuple):
    """The fewest ways that are quiet enough; for result and margin the shares, (parts, 2), what they leave of
    the raw variance, (2,), and what part of the raw variance is noise, (2,)."""

    ways: int
    shares: Floats
    left: Floats
    noise: Floats

    def as_dict(self) -> dict[str, object]:
        """What the published files say of it besides the shares."""
        return {"ways": self.ways, "left": self.left.round(3).tolist(), "noise": self.noise.round(3).tolist()}


def quiet(
    raw: Floats, see: Callable[[int, int], Floats], ways: tuple[int, ...] = WAYS, most: float = NOISE
) -> SharesFit:
    """Fit the shares with the fewest ways whose noise is at most `most` of what is left, else with all.

    Args:
        raw: the result and margin of each game, (games, 2).
        see: answers the luck of both that is seen in each game, by part, (games, parts, 2), given a number of
            ways and their seed.
    """
    for number in ways:
        one, two = see(number, 0), see(number, 1)
        shares, left = fit_shares(raw, one)
        noise = ((one - two) * shares).sum(axis=1).var(axis=0) / 2 / raw.var(axis=0)
        if (noise <= most * left).all():
            break
    return SharesFit(number, shares, left, noise)


def fit_shares(raw: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Shares by least squares, between 0 and 1, (parts, 2), and what of the variance they leave, (2,).

    Args:
        raw: the result and margin of each game, (games, 2).
        seen: the luck of both that was seen in it, by part, (games, parts, 2).
    """
    best = [np.linalg.lstsq(seen[:, :, kind], raw[:, kind], rcond=None)[0] for kind in range(2)]
    shares = np.clip(np.asarray(best).T, 0.0, 1.0).round(2)
    left = (raw - (seen * shares).sum(axis=1)).var(axis=0) / raw.var(axis=0)
    return shares, left
