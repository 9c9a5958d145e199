"""Learns a value function from self-play: a small network, trained by stochastic gradient descent (Adam).

Adam (Kingma & Ba, 2015), with a rate that falls in a straight line and with weight decay.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.training.selfplay import SelfPlayGame, play
from analysis.values.features import features
from analysis.values.function import Network, Seen, ValueFunction
from analysis.values.public_game import Table
from engine import TurnPosition
from engine.policies import perturbed, planner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.policies.greedy import Policy
    from engine.variants import Variant

    Floats = NDArray[np.float64]
    AnyFloats = NDArray[np.floating[Any]]

MEAN: Final = 0.1
SQUARE: Final = 0.001
"""How much of a new slope, and of its square, the running means take up."""
TINY: Final = 1e-8


class Adam:
    """Changes the arrays `parts` in place, step by step.

    Args:
        steps: how many steps there will be; the rate falls from `rate` to nearly `least` over them.
        decay: what share of each decaying part is added to its slope.
        decaying: for each part whether it decays; all do if nothing is given.
    """

    def __init__(
        self,
        parts: Sequence[AnyFloats],
        *,
        steps: int,
        rate: float,
        least: float = 0.0,
        decay: float = 0.0,
        decaying: Sequence[bool] | None = None,
    ) -> None:
        self.parts = parts
        self.steps, self.rate, self.least, self.decay = steps, rate, least, decay
        self.decaying = [True] * len(parts) if decaying is None else decaying
        self.means = [np.zeros_like(part) for part in parts]
        self.squares = [np.zeros_like(part) for part in parts]
        self.done = 0

    def step(self, slopes: Sequence[AnyFloats]) -> None:
        """One step down the slopes, one array for each part."""
        self.done += 1
        rate = self.rate * (1 - self.done / (self.steps + 1)) + self.least
        for place, (part, slope) in enumerate(zip(self.parts, slopes, strict=True)):
            full = slope + self.decay * part if self.decaying[place] else slope
            self.means[place] += MEAN * (full - self.means[place])
            self.squares[place] += SQUARE * (full**2 - self.squares[place])
            move = self.means[place] / (1 - (1 - MEAN) ** self.done)
            spread = np.sqrt(self.squares[place] / (1 - (1 - SQUARE) ** self.done))
            part[...] -= rate * move / (spread + TINY)


HIDDEN: Final = 40
BATCH: Final = 512
EPOCHS: Final = 6
ROUNDS: Final = 4
TRACE: Final = 0.9
RATE: Final = 4e-3
DECAY: Final = 1e-4
TURN_SHARE: Final = 0.25
"""Of the turns' beginnings so many are learned from, besides every position after a reveal."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """Inputs (n, inputs) and targets (n, 2) for the seat to move, and the number of each row's game."""

    inputs: Floats
    targets: Floats
    games: NDArray[np.int64]
    signs: Floats
    """1 where seat 0 is to move, -1 where seat 1 is."""

    def only(self, rows: NDArray[np.bool_]) -> Lessons:
        """Return some of the rows."""
        return Lessons(self.inputs[rows], self.targets[rows], self.games[rows], self.signs[rows])


def lesson_seed(variant: str, number: int) -> str:
    """The seed of a training deal. No tournament's seed is made like it (`analysis.formats.committed_seeds`):
    those are hashes of a 32-byte secret, these of a published text."""
    return hashlib.sha256(f"crapette-arena/values/{variant}/{number}".encode()).hexdigest()


def choose_players(number: int) -> list[Policy]:
    """Who plays game `number`: two alike, so that the strength of the players is no riddle. Mostly greedy
    bots that err now and then; in every sixth game planners."""
    chance = Random(number)  # noqa: S311
    if number % 6 == 0:
        return [planner(16), planner(16)]
    share = chance.choice([0.01, 0.03, 0.08])
    return [perturbed(chance, share), perturbed(chance, share)]


def lessons(rules: Variant, count: int) -> tuple[Lessons, list[tuple[TurnPosition, SelfPlayGame]]]:
    """Play games and return the positions after each reveal and at the start of some turns."""
    values = ValueFunction(rules, zero_network(), np.zeros(2), np.ones(2))
    inputs, targets, games, signs, kept = [], [], [], [], []
    for number in range(count):
        start = TurnPosition.deal(rules, lesson_seed(rules.name, number))
        played = play(start, choose_players(number))
        seen = positions(values, start, played.words, Random(number))  # noqa: S311
        inputs.append(features(rules, seen.batch).astype(np.float32))
        targets.append(seen.signs[:, None] * np.array([played.result, played.margin]))
        games.append(np.full(len(seen.signs), number))
        signs.append(seen.signs)
        kept.append((start, played))
    return Lessons(*map(np.concatenate, (inputs, targets, games, signs))), kept


def positions(values: ValueFunction, start: TurnPosition, words: Sequence[str], chance: Random) -> Seen:
    """Return the positions of a game to learn from, the start first."""
    table = Table(start)
    seen = [values.look(table)]
    turn = 0
    for word in words:
        revealed = table.apply(word)
        if table.core.over:
            break
        begins = table.core.turn_number != turn
        turn = table.core.turn_number
        if revealed is not None or (begins and chance.random() < TURN_SHARE):
            found = values.look(table)
            if not found.ended:
                seen.append(found)
    return Seen.together(seen)


def zero_network() -> Network:
    """Return a network that values everything at 0, used only to look at positions."""
    none = np.zeros((0, 0))
    return Network(none, none, none, none, 1.0)


def learn(found: Lessons, seed: int = 1) -> Network:
    """Fit result and margin, first to how the games ended, then `ROUNDS` times to λ-returns.

    A λ-return (Sutton, 1988) trusts the values of the positions that followed, and so tells what one card did
    from what all later ones did.
    """
    scale = float(found.targets[:, 1].std()) or 1.0
    network = _fit(found.inputs, found.targets / [1.0, scale], None, scale, seed)
    for number in range(ROUNDS):
        wanted = returns(found, network) / [1.0, scale]
        network = _fit(found.inputs, wanted, network, scale, seed + 1 + number)
    return network


def returns(found: Lessons, network: Network) -> Floats:
    """The λ-return of every row, for its seat to move."""
    values = network(found.inputs) * found.signs[:, None]
    ends = found.targets * found.signs[:, None]
    out = ends.copy()
    games = found.games
    for row in range(len(games) - 2, -1, -1):
        if games[row] == games[row + 1]:
            out[row] = TRACE * out[row + 1] + (1 - TRACE) * values[row + 1]
    return np.asarray(out * found.signs[:, None])


def _fit(inputs: Floats, wanted: Floats, begun: Network | None, scale: float, seed: int) -> Network:
    """Least squares by Adam, from a network on if one was begun."""
    chance = np.random.default_rng(seed)
    inputs, wanted = inputs.astype(np.float32), wanted.astype(np.float32)
    shapes = ((inputs.shape[1], HIDDEN), (HIDDEN,), (HIDDEN, 2), (2,))
    if begun is None:
        parts = [chance.normal(0, (0.7 / shape[0]) ** 0.5 * (len(shape) > 1), shape) for shape in shapes]
    else:
        parts = [begun.first, begun.bias, begun.second, begun.last]
    parts = [part.astype(np.float32) for part in parts]
    steps = EPOCHS * (len(inputs) // BATCH)
    adam = Adam(parts, steps=steps, rate=RATE, decay=DECAY, decaying=[part.ndim > 1 for part in parts])
    for _ in range(EPOCHS):
        order = chance.permutation(len(inputs))
        for first in range(0, len(inputs) - BATCH + 1, BATCH):
            rows = order[first : first + BATCH]
            adam.step(_slopes(parts, inputs[rows], wanted[rows]))
    first_layer, bias, second, last = (part.astype(np.float64) for part in parts)
    return Network(first_layer, bias, second, last, scale)


def _slopes(parts: Sequence[Floats], inputs: Floats, wanted: Floats) -> list[Floats]:
    """The gradient of half the mean squared error."""
    first, bias, second, last = parts
    hidden = np.tanh(inputs @ first + bias)
    error = (hidden @ second + last - wanted) / len(inputs)
    back = (error @ second.T) * (1 - hidden**2)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def explain_variance(network: Network, found: Lessons) -> tuple[float, float]:
    """Return the share of the variance of result and margin that the network explains."""
    error = network(found.inputs.astype(np.float64)) - found.targets
    share = 1 - (error**2).mean(axis=0) / (found.targets**2).mean(axis=0)
    return float(share[0]), float(share[1])
