"""Makes nets for oracle's valuers: `python -m analysis.training.train_valuers [--variant NAME]`.

A valuer says how likely a seat is to win where a line of play ends (`engine.policies.valued`). It learns that
from games against itself and against planner, in rounds: it plays, being wrong about lines by chance so that
it sees more than what it likes, and then fits the net to how these games and the last ones went on. What a
position is worth is a λ-return (Sutton, 1988): partly how the game ended, partly what the net thought of the
positions that followed.

A variant takes about ten minutes of a core, `crapaud` and `crapette-it` twice as long. Players and deals come
from fixed seeds, so the same numbers of rounds and games give the same net, up to the last digits of another
machine's floating point. The published nets were made by the same rules in several runs, so this command
makes others that are about as strong. `--further` goes on from the published ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from analysis.training.adam import Adam
from analysis.training.learning import lesson_seed
from engine import TurnPosition
from engine.policies.valued import NETS, SAME_GAME
from engine.turns.conversion import to_core
from engine.turns.core import Valuer, self_play

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.turns.core import Core
    from engine.variants import Variant

    Floats = NDArray[np.float32]
    Parts = list[Floats]
    Net = dict[str, Any]

INPUTS: Final = 122
UNITS: Final = 48
ROW: Final = 1 + INPUTS
MOST_ROWS: Final = 3000
"""Lines of a game that are looked at."""
KEPT: Final = 48
"""Rows of a game that are learned from: its positions are much alike."""
NODES: Final = 64
TRACE: Final = 0.9
ROUNDS: Final = 60
GAMES: Final = 2000
"""Games of a round."""
REMEMBERED: Final = 4
"""Rounds whose games are learned from: those of an older net teach how that one went on."""
EPOCHS: Final = 2
FIRST_EPOCHS: Final = 6
FIRST_RATE: Final = 1.3e-3
LAST_RATE: Final = 2e-4
LEAST_ERROR: Final = 0.2
MORE_ERROR: Final = 0.2
"""How wrong the wilder player is about lines, in log odds: in the last round, and how much more in the
first."""
STEADY: Final = 0.1
"""What part of that error the steadier one makes."""
FURTHER_DEALS: Final = 10_000_000
"""The number of the first deal for a net that is learned further."""
MOST_LEARNED: Final = 600_000
BATCH: Final = 1024
DECAY: Final = 1e-5
LEAST_RATE: Final = 2e-5
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

    def round(self, number: int, games: int, ahead: float) -> list[Sample]:
        """Play the games of a round: three quarters of them between a wilder and a steadier self, one against
        planner. `ahead`: which part of all rounds is still to come."""
        error = LEAST_ERROR + MORE_ERROR * ahead
        wild, steady = self.valuer(error, 7 + number), self.valuer(STEADY * error, 99 + number)
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
        """Fit the net by logistic regression."""
        order = self.rng.permutation(len(found.chances))[:MOST_LEARNED]
        steps = max(1, epochs * (len(order) // BATCH))
        adam = Adam(self.parts, steps=steps, rate=rate, least=LEAST_RATE, decay=DECAY)
        for _ in range(epochs):
            for first in range(0, len(order) - BATCH + 1, BATCH):
                rows = order[first : first + BATCH]
                adam.step(slopes(self.parts, found.inputs[rows], found.chances[rows]))
            self.rng.shuffle(order)

    def go_on(self, net: Net) -> None:
        """Learn from this net on, on other deals than those it may know."""
        for part, name in zip(self.parts, ("first", "bias", "second", "last"), strict=True):
            part[:] = np.asarray(net[name], np.float32)
        self.deals = FURTHER_DEALS

    def as_dict(self) -> Net:
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


def train(rules: Variant, rounds: int = ROUNDS, games: int = GAMES, *, further: bool = False) -> Net:
    """Learn the net of a variant of two seats, or learn the published one `further`."""
    trainer = Trainer(rules)
    if further:
        trainer.go_on(published(rules.name))
    remembered: list[list[Sample]] = []
    for number in range(rounds):
        ahead = 1 - number / rounds
        remembered = [*remembered, trainer.round(number, games, ahead)][-REMEMBERED:]
        found = Sample.together([part for each in remembered for part in each])
        first = number == 0 and not further
        trainer.fit(found, FIRST_RATE * ahead + LAST_RATE, FIRST_EPOCHS if first else EPOCHS)
    trainer.fit(found, LAST_RATE, EPOCHS)
    return trainer.as_dict()


def published(variant: str) -> Net:
    """What the file of a variant's net holds."""
    found: Net = json.loads((NETS / f"{variant}.json").read_text("utf-8"))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write the files."""
    parser = argparse.ArgumentParser(prog="python -m analysis.training.train_valuers", description=__doc__)
    own = [name for name, rules in engine.VARIANTS.items() if not rules.in_ticks and name not in SAME_GAME]
    parser.add_argument("--variant", action="append", choices=own)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES, help="games of a round")
    parser.add_argument("--further", action="store_true", help="go on from the published nets")
    given = parser.parse_args(arguments)
    NETS.mkdir(exist_ok=True)
    for name in given.variant or own:
        found = train(engine.variant(name), given.rounds, given.games, further=given.further)
        (NETS / f"{name}.json").write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        sys.stderr.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
