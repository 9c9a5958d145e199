"""The engine's side of the benchmark: random games through the core, compiled and not."""

from __future__ import annotations

from itertools import cycle
from random import Random, random
from time import process_time
from typing import TYPE_CHECKING, Any

import engine
from engine.ticks.conversion import to_core
from engine.turns.core import whole
from engine.turns.core.core import Core as PlainCore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.ticks.core import TickCore
    from tools.bench.measuring import Slice

DEALS = 64
CLONES = 2000
PILES = 29


def is_compiled() -> bool:
    """Whether the engine's core runs as an extension module."""
    return not str(whole.__file__).endswith(".py")


def starts(variant: str, players: int = 2) -> list[Any]:
    """Cores at the start of as many different deals."""
    seeds = Random(f"bench/{variant}/{players}")
    return [engine.TurnGame.deal(variant, seeds.randbytes(32).hex(), players).core for _ in range(DEALS)]


def uncompiled(cores: list[Any], variant: str) -> list[Any]:
    """The same positions in cores of plain Python, whose parts are there beside the extension."""
    found = []
    for one in cores:
        other: Any = PlainCore(engine.variant(variant), one.players)
        piles = [one.pile(number) for number in range(PILES)]
        other.load(piles, one.heights_of(), *one.tally(), one.state())
        found.append(other)
    return found


def driven(cores: list[Any]) -> Slice:
    """Whole random games driven from Python: `legal()`, choose, `push()`. Steps are plies."""
    deals = cycle(cores)

    def run(seconds: float) -> tuple[int, float]:
        plies = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            game = next(deals).clone()
            moves = game.legal()
            while moves:
                game.push(moves[int(random() * len(moves))])
                moves = game.legal()
                plies += 1
        return plies, used

    return run


def stepped(cores: list[Any]) -> Slice:
    """The same by `step()`, which applies a move and answers the next legal moves in one call."""
    deals = cycle(cores)

    def run(seconds: float) -> tuple[int, float]:
        plies = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            game = next(deals).clone()
            step = game.step
            moves = game.legal()
            while moves:
                moves = step(moves[int(random() * len(moves))])
                plies += 1
        return plies, used

    return run


def played_out(cores: list[Any]) -> Slice:
    """Whole random games inside the core."""
    deals: Iterator[tuple[int, Any]] = enumerate(cycle(cores))

    def run(seconds: float) -> tuple[int, float]:
        plies = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            seed, game = next(deals)
            plies += game.clone().playout(seed)
        return plies, used

    return run


def tick_games() -> list[TickCore]:
    """Cores of `vitesse` at the start of as many different deals."""
    seeds = Random("bench/vitesse")
    return [to_core(engine.TickPosition.deal("vitesse", seeds.randbytes(32))) for _ in range(DEALS)]


def ticking(cores: list[TickCore]) -> Slice:
    """Whole random games of `vitesse` driven from Python: `legal()` of both seats, choose, `push()`. Steps
    are ticks, in which both act."""
    deals = cycle(cores)

    def run(seconds: float) -> tuple[int, float]:
        ticks = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            game = next(deals).clone()
            first, second = game.legal(0), game.legal(1)
            while first:
                game.push(first[int(random() * len(first))], second[int(random() * len(second))])
                first, second = game.legal(0), game.legal(1)
                ticks += 1
        return ticks, used

    return run


def cloned(cores: list[Any]) -> Slice:
    """Copies of a position in the middle of a game. Steps are copies."""
    game = cores[0].clone()
    game.playout(1, 200)
    game.legal()

    def run(seconds: float) -> tuple[int, float]:
        copies = 0
        copy = game.clone
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            for _ in range(CLONES):
                copy()
            copies += CLONES
        return copies, used

    return run
