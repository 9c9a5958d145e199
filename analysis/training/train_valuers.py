"""Recreates the nets of oracle's valuers: `python -m analysis.training.train_valuers [--variant NAME]`.

A valuer says how likely a seat is to win where a line of play ends (`engine.policies.valued`). It learns that
from games against itself and against planner, in rounds: it plays, being wrong about lines by chance so that
it sees more than what it likes, and then fits the net to how these games and the last ones went on. What a
position is worth is a λ-return (Sutton, 1988): partly how the game ended, partly what the net thought of the
positions that followed.

A variant takes five to ten minutes of a core. Players and deals come from fixed seeds, so the same numbers
of rounds and games give the same net, up to the last digits of another machine's floating point.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

import engine
from analysis.training.learning import lesson_seed
from engine import TurnPosition
from engine.policies.valued import NETS
from engine.turns.conversion import to_core
from engine.turns.core import Valuer, self_play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.turns.core import Core
    from engine.variants import Variant

    Floats = NDArray[np.float32]
    Parts = list[Floats]

INPUTS: Final = 122
UNITS: Final = 48
ROW: Final = 1 + INPUTS
MOST_ROWS: Final = 3000
"""Lines of a game that are looked at."""
KEPT: Final = 48
"""Rows of a game that are learned from: its positions are much alike."""
NODES: Final = 64
TRACE: Final = 0.9
ROUNDS: Final = 20
GAMES: Final = 2000
"""Games of a round."""
REMEMBERED: Final = 10
"""Rounds whose games are learned from again."""
MOST_LEARNED: Final = 600_000
BATCH: Final = 1024
DECAY: Final = 1e-5
NO_FURTHER: Final = 50.0
"""Log odds beyond which there is no difference."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the net sees at the ends of some lines (n, INPUTS), and how likely the seats that played them are
    to win (n,), from 0 to 1."""

    inputs: Floats
    chances: Floats

    @classmethod
    def together(cls, parts: Sequence[Sample]) -> Sample:
        """All in one."""
        return cls(
            np.concatenate([part.inputs for part in parts]), np.concatenate([part.chances for part in parts])
        )


class Trainer:
    """Learns the net of one variant; `parts` are its layers: weights, biases, weights, bias."""

    def __init__(self, rules: Variant) -> None:
        self.rules = rules
        self.rng = np.random.default_rng(1)
        self.deals = 0
        self.rows = np.zeros((MOST_ROWS, ROW))
        shapes = ((INPUTS, UNITS), (UNITS,), (UNITS,), (1,))
        self.parts: Parts = [
            self.rng.uniform(-0.3, 0.3, shape).astype(np.float32) / np.float32(shape[0]) ** np.float32(0.5)
            for shape in shapes
        ]

    def weights(self) -> list[float]:
        """The net as `Valuer` takes it."""
        return [float(number) for part in self.parts for number in part.ravel()]

    def valuer(self, error: float, seed: int) -> Valuer:
        """A player by the net as it is, wrong about each line by up to `error`."""
        found = Valuer(self._deal(), self.rules.one_pack, NODES, self.weights())
        found.err(error, seed)
        return found

    def round(self, number: int, games: int, error: float) -> list[Sample]:
        """Play the games of a round: half of them against itself, half against planner or a steadier self."""
        wild, steady = self.valuer(error, 7 + number), self.valuer(0.05, 99 + number)
        return [
            self._played(wild, steady, games // 2),
            self._played(self.valuer(error / 2, 3 + number), None, games // 4),
            self._played(steady, wild, games // 4),
        ]

    def _deal(self) -> Core:
        self.deals += 1
        start = TurnPosition.deal(self.rules, lesson_seed(f"{self.rules.name}/valuer", self.deals))
        return to_core(start)[0]

    def _played(self, first: Valuer, second: Valuer | None, games: int) -> Sample:
        parts = []
        for _ in range(games):
            result, count = self_play(first, second, self._deal(), self.rows)
            if count:
                rows = self.rows[:count].astype(np.float32)
                chosen = self.rng.choice(count, size=min(KEPT, count), replace=False)
                parts.append(Sample(rows[chosen, 1:], self._returns(rows, (result + 1) / 2)[chosen]))
        return Sample.together(parts)

    def _returns(self, rows: Floats, won: float) -> Floats:
        """The λ-return of each row for its seat, given what seat 0 got: 1, 0.5 or 0."""
        mine = rows[:, 0] == 0
        values = chances(self.parts, rows[:, 1:])
        for_first = np.where(mine, values, 1 - values)
        out = np.empty(len(rows), np.float32)
        value = won
        for row in range(len(rows) - 1, -1, -1):
            out[row] = value
            value = TRACE * value + (1 - TRACE) * float(for_first[row])
        return np.where(mine, out, 1 - out).astype(np.float32)

    def fit(self, found: Sample, rate: float, epochs: int = 1) -> None:
        """Fit the net by logistic regression, with Adam (Kingma & Ba, 2015)."""
        order = self.rng.permutation(len(found.chances))[:MOST_LEARNED]
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        steps = max(1, epochs * (len(order) // BATCH))
        step = 0
        for _ in range(epochs):
            for first in range(0, len(order) - BATCH + 1, BATCH):
                rows = order[first : first + BATCH]
                step += 1
                now = rate * (1 - step / (steps + 1)) + 2e-5
                for place, slope in enumerate(slopes(self.parts, found.inputs[rows], found.chances[rows])):
                    full = slope + DECAY * self.parts[place]
                    means[place] += 0.1 * (full - means[place])
                    squares[place] += 0.001 * (full**2 - squares[place])
                    move = means[place] / (1 - 0.9**step)
                    self.parts[place] -= now * move / (np.sqrt(squares[place] / (1 - 0.999**step)) + 1e-8)
            self.rng.shuffle(order)

    def as_dict(self) -> dict[str, object]:
        """The net as its file has it."""
        first, bias, second, last = (np.round(part.astype(np.float64), 4) for part in self.parts)
        return {
            "variant": self.rules.name,
            "first": first.tolist(),
            "bias": bias.tolist(),
            "second": second.tolist(),
            "last": float(last[0]),
        }


def chances(parts: Parts, inputs: Floats) -> Floats:
    """What a net says of inputs (n, INPUTS): (n,), from 0 to 1."""
    first, bias, second, last = parts
    odds = np.maximum(inputs @ first + bias, 0) @ second + last[0]
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -NO_FURTHER, NO_FURTHER))), np.float32)


def slopes(parts: Parts, inputs: Floats, wanted: Floats) -> Parts:
    """The gradient of the mean cross-entropy between what a net says and what it should say."""
    first, bias, second, last = parts
    hidden = np.maximum(inputs @ first + bias, 0)
    odds = np.clip(hidden @ second + last[0], -NO_FURTHER, NO_FURTHER)
    error = ((1 / (1 + np.exp(-odds)) - wanted) / len(wanted)).astype(np.float32)
    back = np.outer(error, second) * (hidden > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)]


def train(rules: Variant, rounds: int = ROUNDS, games: int = GAMES) -> dict[str, object]:
    """Learn the net of a variant of two seats."""
    trainer = Trainer(rules)
    remembered: list[list[Sample]] = []
    for number in range(rounds):
        ahead = 1 - number / rounds
        remembered = [*remembered, trainer.round(number, games, 0.5 * ahead + 0.1)][-REMEMBERED:]
        found = Sample.together([part for each in remembered for part in each])
        trainer.fit(found, 1.5e-3 * ahead + 2e-4, epochs=6 if number == 0 else 1)
    trainer.fit(found, 5e-4, epochs=2)
    return trainer.as_dict()


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write the files."""
    parser = argparse.ArgumentParser(prog="python -m analysis.training.train_valuers", description=__doc__)
    of_two = [name for name, rules in engine.VARIANTS.items() if not rules.in_ticks]
    parser.add_argument("--variant", action="append", choices=of_two)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES, help="games of a round")
    given = parser.parse_args(arguments)
    NETS.mkdir(exist_ok=True)
    for name in given.variant or of_two:
        found = train(engine.variant(name), given.rounds, given.games)
        (NETS / f"{name}.json").write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        sys.stderr.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
