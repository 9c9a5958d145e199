"""Makes nets for oracle's valuers: `python -m analysis.training.train_valuers [--board NAME]`.

A valuer says how likely a seat is to win where a line of play ends (`engine.policies.valued`). It learns that
from games against itself and against planner, in rounds: it plays, being wrong about lines by chance so that
it sees more than what it likes, and then fits the net to how these games and the last ones went on. What a
position is worth is a λ-return (Sutton, 1988): partly how the game ended, partly what the net thought of the
positions that followed.

With `--teacher 480` a net of so many units, ten times as many, learns from these games in its place, and the
valuer's net learns to say what the teacher says (G. Hinton, O. Vinyals, J. Dean, "Distilling the Knowledge in
a Neural Network", 2015). The teacher judges better and is too slow to play: only the valuer's net does. The
teacher is thrown away; it is made again by the same command. `--compare 200` shows whether the new net is
better than the published one.

With more than two seats, to win is to go out first, and the positions that followed are those of the same
seat: what is good for one is not as bad for each other.

A board takes about ten minutes of a core, `crapaud` and `crapette-it` twice as long. Players and deals come
from fixed seeds, so the same numbers of rounds and games give the same net, up to the last digits of another
machine's floating point. The published nets were made by the same rules in several runs, so this command
makes others that are about as strong. `--further` goes on from the published ones.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from analysis.intervals import score_interval
from analysis.training.value_network import Adam, lesson_seed
from engine import TurnPosition
from engine.boards import BOARDS, board_name, parse_board
from engine.policies.valued import MOST_NODES, SAME_GAME, net_file
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
MORE_INPUTS: Final = 39
"""For each seat after the second."""
UNITS: Final = 48
MOST_ROWS: Final = 3000
"""Lines of a game that are looked at."""
KEPT: Final = {2: 48, 3: 96, 4: 96}
"""Rows of a game that are learned from, by seats: its positions are much alike."""
NODES: Final = {2: 64, 3: 32, 4: 32}
"""Positions looked at for a line, by seats."""
TRACE: Final = {2: 0.9, 3: 0.9, 4: 0.95}
"""The part of a λ-return that comes from what followed, by seats."""
ROUNDS: Final = 60
GAMES: Final = {2: 2000, 3: 500, 4: 500}
"""Games of a round, by seats."""
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
    """Learns the net of one board; `parts` are its layers: weights, biases, weights, bias. If there is a
    teacher of so many units, games teach that, and it teaches the net."""

    def __init__(self, rules: Variant, players: int = 2, teacher: int = 0) -> None:
        self.rules, self.players = rules, players
        self.board = board_name(rules.name, players)
        self.rng = np.random.default_rng(1)
        self.deals = 0
        inputs = INPUTS + MORE_INPUTS * (players - 2)
        self.rows = np.zeros((MOST_ROWS, 1 + inputs))
        self.parts = self._new_net(inputs, UNITS)
        self.judge = self._new_net(inputs, teacher) if teacher else self.parts

    def _new_net(self, inputs: int, units: int) -> Parts:
        shapes = ((inputs, units), (units,), (units,), (1,))
        parts = [
            self.rng.uniform(-0.3, 0.3, shape).astype(np.float32) / np.float32(shape[0]) ** np.float32(0.5)
            for shape in shapes
        ]
        parts[3][0] -= math.log(self.players - 1)  # nobody is ahead yet
        return parts

    def weights(self) -> list[float]:
        """The net as `Valuer` takes it."""
        return [float(number) for part in self.parts for number in part.ravel()]

    def valuer(self, error: float, seed: int) -> Valuer:
        """A player by the net as it is, wrong about each line by up to `error`."""
        found = Valuer(self._deal(), self.rules.one_pack, NODES[self.players], self.weights())
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
        seed = lesson_seed(f"{self.board}/valuer", self.deals)
        start = TurnPosition.deal(self.rules, seed, self.players)
        return to_core(start)[0]

    def _played(self, first: Valuer, second: Valuer | None, games: int) -> Sample:
        parts = []
        for _ in range(games):
            first_out, count = self_play(first, second, self._deal(), self.rows)
            if count:
                rows = self.rows[:count].astype(np.float32)
                chosen = self.rng.choice(count, size=min(KEPT[self.players], count), replace=False)
                parts.append(Sample(rows[chosen, 1:], self.returns(rows, first_out)[chosen]))
        return Sample.together(parts)

    def returns(self, rows: Floats, first_out: int) -> Floats:
        """The λ-return of each row for its seat, given who went out first (-1: nobody)."""
        values, trace = chances(self.judge, rows[:, 1:]), TRACE[self.players]
        out = np.empty(len(rows), np.float32)
        if self.players == 2:  # what is good for one is bad for the other: all rows tell of both
            mine = rows[:, 0] == 0
            end = 0.5 if first_out < 0 else 1.0 - first_out
            for_first = trace_returns(np.where(mine, values, 1 - values), end, trace)
            return np.where(mine, for_first, 1 - for_first).astype(np.float32)
        for seat in range(self.players):
            mine = rows[:, 0] == seat
            end = 1 / self.players if first_out < 0 else float(seat == first_out)
            out[mine] = trace_returns(values[mine], end, trace)
        return out

    def fit(self, found: Sample, rate: float, epochs: int = 1) -> None:
        """Fit the net by logistic regression, or the teacher, and the net to what that says."""
        self._fit(self.judge, found, rate, epochs)
        if self.judge is not self.parts:
            self._fit(self.parts, Sample(found.inputs, chances(self.judge, found.inputs)), rate, epochs)

    def _fit(self, parts: Parts, found: Sample, rate: float, epochs: int) -> None:
        order = self.rng.permutation(len(found.chances))[:MOST_LEARNED]
        steps = max(1, epochs * (len(order) // BATCH))
        adam = Adam(parts, steps=steps, rate=rate, least=LEAST_RATE, decay=DECAY)
        for _ in range(epochs):
            for first in range(0, len(order) - BATCH + 1, BATCH):
                rows = order[first : first + BATCH]
                adam.step(slopes(parts, found.inputs[rows], found.chances[rows]))
            self.rng.shuffle(order)

    def go_on(self, net: Net) -> None:
        """Learn from this net on, on other deals than those it may know. A teacher begins as this net, with
        more units that say nothing yet."""
        for part, judge, name in zip(
            self.parts, self.judge, ("first", "bias", "second", "last"), strict=True
        ):
            part[:] = np.asarray(net[name], np.float32)
            judge[..., : part.shape[-1]] = part
        self.judge[2][UNITS:] = 0
        self.deals = FURTHER_DEALS

    def as_dict(self) -> Net:
        """The net as its file has it."""
        first, bias, second, last = (np.round(part.astype(np.float64), 4) for part in self.parts)
        return {
            "board": self.board,
            "first": first.tolist(),
            "bias": bias.tolist(),
            "second": second.tolist(),
            "last": float(last[0]),
        }


def trace_returns(values: Floats, end: float, trace: float) -> Floats:
    """The λ-returns of positions with these values in a game that ended so."""
    out = np.empty(len(values), np.float32)
    for row in range(len(values) - 1, -1, -1):
        out[row] = end
        end = trace * end + (1 - trace) * float(values[row])
    return out


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


def train(
    board: str, rounds: int = ROUNDS, games: int = 0, *, further: bool = False, teacher: int = 0
) -> Net:
    """Learn the net of a board from so many games a round (0: as `GAMES` has it), or the published one
    `further`; by a teacher of so many units, if there shall be one."""
    variant, players = parse_board(board)
    trainer = Trainer(engine.variant(variant), players, teacher)
    if further:
        trainer.go_on(load_published(board))
    remembered: list[list[Sample]] = []
    for number in range(rounds):
        ahead = 1 - number / rounds
        remembered = [*remembered, trainer.round(number, games or GAMES[players], ahead)][-REMEMBERED:]
        found = Sample.together([part for each in remembered for part in each])
        first = number == 0 and not further
        trainer.fit(found, FIRST_RATE * ahead + LAST_RATE, FIRST_EPOCHS if first else EPOCHS)
    trainer.fit(found, LAST_RATE, EPOCHS)
    return trainer.as_dict()


def compare(board: str, nets: tuple[Net, Net], pairs: int) -> tuple[int, ...]:
    """How many pairs brought the first net of two seats 0 to 4 half points against the second. Both play the
    line that they think best, without guesses; a pair is a deal played from both seats."""
    rules = engine.variant(board)
    trainers = [Trainer(rules) for _ in nets]
    for trainer, net in zip(trainers, nets, strict=True):
        trainer.go_on(net)
    weights = [trainer.weights() for trainer in trainers]
    counts = [0] * 5
    for number in range(pairs):
        start, half = TurnPosition.deal(rules, f"compare/{number}"), 0
        for seat in range(2):
            core = to_core(start)[0]
            sides = [Valuer(core, rules.one_pack, MOST_NODES, each) for each in weights]
            first_out, _ = self_play(sides[seat], sides[1 - seat], core, trainers[0].rows)
            half += 1 if first_out < 0 else 2 * (first_out == seat)
        counts[half] += 1
    return tuple(counts)


def load_published(board: str) -> Net:
    """What the file of a board's net holds."""
    found: Net = json.loads(net_file(*parse_board(board)).read_text("utf-8"))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write the files."""
    parser = argparse.ArgumentParser(prog="python -m analysis.training.train_valuers", description=__doc__)
    boards = [board for board in BOARDS if learns(board)]
    parser.add_argument("--board", action="append", choices=boards)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=0, help="games of a round")
    parser.add_argument("--further", action="store_true", help="go on from the published nets")
    parser.add_argument("--teacher", type=int, default=0, help="units of a teacher (0: there is none)")
    parser.add_argument("--to", type=Path, help="a folder for the nets (default: the published ones)")
    parser.add_argument(
        "--compare",
        type=int,
        default=0,
        help="pairs that a net of two seats then plays with the published one",
    )
    given = parser.parse_args(arguments)
    if 0 < given.teacher < UNITS:
        parser.error(f"expected a teacher of at least {UNITS} units, got {given.teacher}")
    for board in given.board or boards:
        published = load_published(board) if given.compare else None
        found = train(board, given.rounds, given.games, further=given.further, teacher=given.teacher)
        path = net_file(*parse_board(board))
        path = given.to / path.name if given.to else path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
        sys.stderr.write(f"{board}\n")
        if published and parse_board(board)[1] == 2:
            score = score_interval(compare(board, (found, published), given.compare))
            if score is not None:
                said = f"{score.value:.1%} ({score.low:.1%} – {score.high:.1%})"
                sys.stderr.write(f"against the published net, {given.compare} pairs: {said}\n")
    return 0


def learns(board: str) -> bool:
    """Whether a board has a net of its own."""
    variant, _ = parse_board(board)
    return not engine.variant(variant).in_ticks and variant not in SAME_GAME


if __name__ == "__main__":
    raise SystemExit(main())
