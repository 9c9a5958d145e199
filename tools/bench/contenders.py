"""What `./crapette bench engine` measures: random games of our core, of OpenSpiel and of python-chess."""

from __future__ import annotations

from itertools import cycle
from random import Random, random
from typing import TYPE_CHECKING, Any

import chess
import pyspiel

import engine
from engine.ticks.conversion import to_core
from engine.turns.core import whole
from engine.turns.core.core import Core as PlainCore
from tools.bench.measuring import repeat

if TYPE_CHECKING:
    from engine.ticks.core import TickCore
    from tools.bench.measuring import Slice

DEALS = 64
CLONES = 500
PILES = 29
ROLLOUTS = 250
LENGTH_SAMPLE = 400
CHESS_PLIES = 300


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

    def play() -> int:
        plies = 0
        game = next(deals).clone()
        moves = game.legal()
        while moves:
            game.push(moves[int(random() * len(moves))])
            moves = game.legal()
            plies += 1
        return plies

    return repeat(play)


def stepped(cores: list[Any]) -> Slice:
    """The same by `step()`, which applies a move and answers the next legal moves in one call."""
    deals = cycle(cores)

    def play() -> int:
        plies = 0
        game = next(deals).clone()
        step = game.step
        moves = game.legal()
        while moves:
            moves = step(moves[int(random() * len(moves))])
            plies += 1
        return plies

    return repeat(play)


def played_out(cores: list[Any]) -> Slice:
    """Whole random games inside the core. Steps are plies."""
    deals = enumerate(cycle(cores))

    def play() -> int:
        seed, game = next(deals)
        return int(game.clone().playout(seed))

    return repeat(play)


def tick_games() -> list[TickCore]:
    """Cores of `vitesse` at the start of as many different deals."""
    seeds = Random("bench/vitesse")
    return [to_core(engine.TickPosition.deal("vitesse", seeds.randbytes(32))) for _ in range(DEALS)]


def ticking(cores: list[TickCore]) -> Slice:
    """Whole random games of `vitesse` driven from Python: `legal()` of both seats, choose, `push()`. Steps
    are ticks, in which both act."""
    deals = cycle(cores)

    def play() -> int:
        ticks = 0
        game = next(deals).clone()
        first, second = game.legal(0), game.legal(1)
        while first:
            game.push(first[int(random() * len(first))], second[int(random() * len(second))])
            first, second = game.legal(0), game.legal(1)
            ticks += 1
        return ticks

    return repeat(play)


def in_mid_game(core: Any) -> Any:
    """A position in the middle of a game."""
    game = core.clone()
    game.playout(1, 200)
    game.legal()
    return game


def cloned(position: Any) -> Slice:
    """Copies of a position, ours or OpenSpiel's. Steps are copies."""

    def clone() -> int:
        copy = position.clone
        for _ in range(CLONES):
            copy()
        return CLONES

    return repeat(clone)


def dealt(name: str) -> Any:
    """A state of an OpenSpiel game after the chance nodes that deal."""
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        _chance(state)
    return state


def _chance(state: Any) -> None:
    outcomes = state.chance_outcomes()  # hearts and Klondike: all equally likely
    state.apply_action(outcomes[int(random() * len(outcomes))][0])


def openspiel(name: str) -> Slice:
    """Whole random games of OpenSpiel driven from Python, the deal and other chance nodes in the time.

    Steps are the decisions only: `legal_actions`, choose, `apply_action`.
    """
    game = pyspiel.load_game(name)

    def play() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
        return decisions

    return repeat(play)


def hearts_rollouts() -> Slice:
    """OpenSpiel's C++ rollouts: a search of one simulation that values a dealt hand by many random rollouts.

    Steps are the rollouts times the mean number of actions from there to the end, counted from Python.
    """
    state = dealt("hearts")
    length = sum(_length(state.clone()) for _ in range(LENGTH_SAMPLE)) / LENGTH_SAMPLE
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(pyspiel.load_game("hearts"), evaluator, 2.0, 1, 10, False, 1, False)

    def roll_out() -> int:
        search.step(state)
        return round(ROLLOUTS * length)

    return repeat(roll_out)


def _length(state: Any) -> int:
    actions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
        actions += 1
    return actions


def chess_playouts() -> Slice:
    """Random chess by python-chess: list, choose, push, until mate, stalemate or 300 plies.

    Draws by repetition, material or move count are not asked for, which would slow it by a third.
    """

    def play() -> int:
        board = chess.Board()
        for ply in range(CHESS_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                return ply
            board.push(moves[int(random() * len(moves))])
        return CHESS_PLIES

    return repeat(play)
