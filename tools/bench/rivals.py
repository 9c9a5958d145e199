"""The engines for comparison: OpenSpiel (hearts, Klondike) and python-chess."""

from __future__ import annotations

from random import random
from time import process_time
from typing import TYPE_CHECKING, Any

import chess
import pyspiel

if TYPE_CHECKING:
    from tools.bench.measuring import Slice

ROLLOUTS = 250
CLONES = 500
LENGTH_SAMPLE = 400
CHESS_PLIES = 300


def dealt(name: str) -> Any:
    """A state of an OpenSpiel game after the chance nodes that deal."""
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        _chance(state)
    return state


def _chance(state: Any) -> None:
    outcomes = state.chance_outcomes()  # hearts and Klondike: all equally likely
    state.apply_action(outcomes[int(random() * len(outcomes))][0])


def driven(name: str) -> Slice:
    """Whole random games driven from Python, the deal and other chance nodes in the time.

    Steps are the decisions only: `legal_actions`, choose, `apply_action`.
    """
    game = pyspiel.load_game(name)

    def run(seconds: float) -> tuple[int, float]:
        decisions = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(random() * len(outcomes))][0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(random() * len(actions))])
                    decisions += 1
        return decisions, used

    return run


def driven_after_deal(name: str) -> Slice:
    """Games without chance after the deal (hearts): copies of dealt states, the copying in the time."""
    deals = [dealt(name) for _ in range(64)]

    def run(seconds: float) -> tuple[int, float]:
        decisions = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            state = deals[decisions % len(deals)].clone()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(random() * len(actions))])
                decisions += 1
        return decisions, used

    return run


def hearts_rollouts() -> Slice:
    """OpenSpiel's C++ rollouts: a search of one simulation that values a dealt hand by many random rollouts.

    Steps are the rollouts times the mean number of actions from there to the end, counted from Python.
    """
    state = dealt("hearts")
    length = sum(_length(state.clone()) for _ in range(LENGTH_SAMPLE)) / LENGTH_SAMPLE
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    search = pyspiel.MCTSBot(pyspiel.load_game("hearts"), evaluator, 2.0, 1, 10, False, 1, False)

    def run(seconds: float) -> tuple[int, float]:
        searches = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            search.step(state)
            searches += 1
        return round(searches * ROLLOUTS * length), used

    return run


def _length(state: Any) -> int:
    actions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
        actions += 1
    return actions


def cloned(name: str) -> Slice:
    """Copies of a state just dealt. Steps are copies."""
    state = dealt(name)

    def run(seconds: float) -> tuple[int, float]:
        copies = 0
        copy = state.clone
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            for _ in range(CLONES):
                copy()
            copies += CLONES
        return copies, used

    return run


def chess_playouts() -> Slice:
    """Random chess by python-chess: list, choose, push, until mate, stalemate or 300 plies.

    Draws by repetition, material or move count are not asked for, which would slow it by a third.
    """

    def run(seconds: float) -> tuple[int, float]:
        plies = 0
        begin = process_time()
        while (used := process_time() - begin) < seconds:
            board = chess.Board()
            for _ in range(CHESS_PLIES):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(moves[int(random() * len(moves))])
                plies += 1
        return plies, used

    return run
