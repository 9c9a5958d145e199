"""``./crapette bench environments``: compares the training environments with those of other card games."""

from __future__ import annotations

import argparse
import os
import sys
from itertools import count
from random import Random
from statistics import median
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
import rlcard
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.rl_environment import Environment
from open_spiel.python.vector_env import SyncVectorEnv
from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6

from kit.environments.turn_env import TurnEnv
from kit.environments.vector import VectorEnv
from tools.bench.engine_bench import machine
from tools.bench.measuring import Rounds, repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.bench.measuring import Slice

GAMES = 256
SLICE_SECONDS = 0.2
PLIES = 500
TARGET, LINEAR = 50, 0.85
CONVENTIONS = """\
Steps per second of CPU time in one process, whole games with uniformly random legal actions, the choice and
new deals in the time. A step is one decision of one game, after which the environment has written the next
observation and the legal actions. Slices of 0.2 s run in random order; ratios are taken within each round.
With threads, the steps per second of wall time of one environment of 256 games a thread, chosen in the core;
linear is as many times what the same games make on one thread."""


def vector(variant: str, players: int = 2) -> Slice:
    """Our vector environment, driven from NumPy."""
    env = VectorEnv(variant, players, games=GAMES, prefix="bench/")
    env.reset()
    dice = np.random.default_rng(1)
    masks = env.legal.view(np.uint8)

    def play() -> int:
        for _ in range(20):
            chances = dice.integers(1, 256, masks.shape, np.uint8)
            env.step((masks * chances).argmax(axis=1))
        return 20 * GAMES

    return repeat(play)


def one_by_one(make: Callable[[], Any]) -> Slice:
    """A PettingZoo environment of the AEC kind."""
    env = make()
    dice = Random(1)
    seeds = count()

    def play() -> int:
        steps = 0
        env.reset(seed=next(seeds))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(dice.choice(observation["action_mask"].nonzero()[0])))
            steps += 1
        return steps

    return repeat(play)


def of_rlcard(name: str) -> Slice:
    """An environment of RLCard, without PettingZoo."""
    env = rlcard.make(name)
    dice = Random(1)

    def play() -> int:
        steps = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(dice.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return repeat(play)


def of_openspiel(name: str) -> Slice:
    """OpenSpiel's vector play."""
    env = SyncVectorEnv([Environment(pyspiel.load_game(name)) for _ in range(16)])
    dice = Random(1)
    told = env.reset()

    def play() -> int:
        nonlocal told
        chosen = []
        for each in told:
            seat = each.observations["current_player"]
            chosen.append(StepOutput(action=dice.choice(each.observations["legal_actions"][seat]), probs=[]))
        told, _, _, _ = env.step(chosen, reset_if_done=True)
        return len(chosen)

    return repeat(play)


OURS: dict[str, Callable[[], Slice]] = {
    "crapaud, 256 games": lambda: vector("crapaud"),
    "crapette of 4, 256 games": lambda: vector("crapette", 4),
    "crapaud, PettingZoo": lambda: one_by_one(TurnEnv),
}
OTHERS: dict[str, Callable[[], Slice]] = {
    "PettingZoo Texas hold'em": lambda: one_by_one(texas_holdem_no_limit_v6.env),
    "PettingZoo Leduc hold'em": lambda: one_by_one(leduc_holdem_v4.env),
    "RLCard gin rummy": lambda: of_rlcard("gin-rummy"),
    "RLCard Leduc hold'em": lambda: of_rlcard("leduc-holdem"),
    "OpenSpiel vector play, hearts": lambda: of_openspiel("hearts"),
    "OpenSpiel vector play, Leduc poker": lambda: of_openspiel("leduc_poker"),
}


def scaling(workers: int, rounds: int) -> tuple[float, float]:
    """The steps a second of wall time that one environment makes with so many threads, and over one thread's
    as many times over: the median of the rounds."""
    envs = [
        VectorEnv("crapaud", games=GAMES * workers, prefix="thread/", workers=each) for each in (1, workers)
    ]
    for env in envs:
        env.reset()
        env.play(100)
    found = []
    for _ in range(rounds):
        seconds = []
        for env in envs:
            begin = perf_counter()
            env.play(PLIES)
            seconds.append(perf_counter() - begin)
        found.append((GAMES * workers * PLIES / seconds[1], seconds[0] / seconds[1] / workers))
    return median(rate for rate, _ in found), median(share for _, share in found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure for so many seconds and print the tables."""
    parser = argparse.ArgumentParser(prog="crapette bench environments", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure (default: 60)")
    options = parser.parse_args(arguments)
    rounds = Rounds({name: make() for name, make in {**OURS, **OTHERS}.items()}, SLICE_SECONDS)
    order = Random(1)
    end = monotonic() + options.seconds
    done = 0
    while done < 2 or monotonic() < end:
        rounds.run(order)
        done += 1
    first = next(iter(OURS))
    lines = [f"| {first} / | ratio | p10-p90 | target | reached |", "|---|---|---|---|---|"]
    for name in OTHERS:
        ratio = rounds.ratio(first, name)
        lines.append(
            f"| {name} | {ratio.middle:.0f} | {ratio.low:.0f}-{ratio.high:.0f} | ≥ {TARGET} |"
            f" {'yes' if ratio.middle >= TARGET else 'no'} |"
        )
    lines += ["", "| environment | steps/s | p10-p90 |", "|---|---|---|"]
    for name in rounds.rates:
        rate = rounds.rate(name)
        lines.append(f"| {name} | {rate.middle:,.0f} | {rate.low:,.0f}-{rate.high:,.0f} |")
    lines += ["", "| threads | steps/s | of linear | target | reached |", "|---|---|---|---|---|"]
    cores = len(os.sched_getaffinity(0))
    for workers in sorted({*(1 << power for power in range(1, cores.bit_length())), cores}):
        steps, share = scaling(workers, 11)
        reached = "yes" if share >= LINEAR else "no"
        lines.append(f"| {workers} | {steps:,.0f} | {share:.2f} | ≥ {LINEAR} | {reached} |")
    sys.stdout.write(f"{machine()}; {done} rounds\n\n" + "\n".join(lines) + f"\n\n{CONVENTIONS}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
