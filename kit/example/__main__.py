"""Trains a bot from nothing: plays games, learns what positions are worth, and writes a folder to upload.

Run ``python -m kit.example``. It takes about ten minutes on one core.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from analysis.values.table import Table
from engine.policies import perturbed, planner, playout
from engine.policies.planner import search
from engine.turns.core import NOBODY
from engine.turns.moves import texts
from kit import play
from kit.example.bot.features import WIDTH, features
from kit.screen import Screen
from kit.usage import Parser, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from engine.turns.core import Core

    Floats = NDArray[np.float32]
    Halves = NDArray[np.float16]

HIDDEN: Final = 32
NODES: Final = 40
"""Positions looked at for lines while training; the bot looks at more."""
EPOCHS: Final = 8
LINES: Final = 8
"""Tried at each decision."""
WORLDS: Final = 8
"""Ways in which the unseen cards lie, on which each line is tried."""
BATCH: Final = 64
STEP: Final = 0.002
BOT: Final = Path(__file__).with_name("bot")


def decisions(variant: str, rng: Random) -> Iterator[tuple[Table, list[tuple[int, ...]]]]:
    """Yield tables in the middle of games with some lines of the seat to move, for ever.

    The planner plays with some random moves, so that the net sees more than well played games.
    """
    policy, careless = planner(NODES), perturbed(rng, 1.0)
    while True:
        table = Table(engine.TurnPosition.deal(variant, rng.randbytes(32).hex()))
        while not table.core.over:
            seat = table.core.turn
            if rng.random() < 0.2:
                lines = [line.moves for line in search(table.core, NODES).lines]
                if len(lines) > 1:
                    yield table, rng.sample(lines, min(LINES, len(lines)))
            for move in careless(table.core) if rng.random() < 0.1 else policy(table.core):
                table.push(move)
                if table.core.over or table.core.turn != seat:
                    break


def worlds(table: Table, rng: Random) -> Iterator[Core]:
    """Yield the table with the cards that nobody has seen in other places, as likely as they truly lie."""
    for _ in range(WORLDS):
        names = bytearray(range(NOBODY + 1))
        for pool in table.pools():
            for card, name in zip(pool, rng.sample(pool, len(pool)), strict=True):
                names[card] = name
        yield table.core.exchanged(bytes(names))


def outcome(core: Core, moves: Sequence[int], seat: int) -> float:
    """What a line leads to if greedy seats play on: 1 for a win, -1 for a loss, and a card each 52nd part.

    A game takes ten microseconds.
    """
    for move in moves:
        core.push(move)
    result, margin = (core if core.over else playout(core)).worth()
    return (result + margin / 52) * (1 - 2 * seat)


def gathered(variant: str, size: int, seed: int, screen: Screen) -> tuple[Halves, Floats]:
    """So many decisions: features (size, LINES, WIDTH), and how much better than the mean each line was.

    All lines of a decision are tried on the same cards, so that luck cancels out. A line that is missing is
    NaN.
    """
    inputs = np.zeros((size, LINES, WIDTH), np.float16)
    gains = np.full((size, LINES), np.nan, np.float32)
    rng, began = Random(seed), time.monotonic()  # noqa: S311 (no secret)
    for row, (table, lines) in zip(range(size), decisions(variant, rng), strict=False):
        seat = table.core.turn
        names = texts(2, seat)
        for place, moves in enumerate(lines):
            end = table.core.clone()
            for move in moves:
                if names[move] not in {"draw", "pass"}:
                    end.push(move)
            for index, number in features(end, seat):
                inputs[row, place, index] += number
        found = [[outcome(world.clone(), moves, seat) for moves in lines] for world in worlds(table, rng)]
        means = np.mean(found, axis=0)
        gains[row, : len(lines)] = means - means.mean()
        if (row + 1) % 5_000 == 0:
            screen.say(f"{row + 1} decisions after {time.monotonic() - began:.0f} s")
    return inputs, gains


class Net:
    """Features to a hidden layer of tanh to one number, trained by Adam (Kingma and Ba 2015)."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        scale = 1 / np.sqrt(WIDTH)
        self.weights: list[Floats] = [
            (self.rng.standard_normal((WIDTH, HIDDEN)) * scale).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (self.rng.standard_normal(HIDDEN) / np.sqrt(HIDDEN)).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.steps = 0

    def value(self, inputs: Floats) -> Floats:
        """What positions are worth."""
        first, bias, second, offset = self.weights
        found: Floats = np.tanh(inputs @ first + bias) @ second + offset
        return found

    def error(self, inputs: Floats, gains: Floats) -> Floats:
        """How far off the lines of decisions are, each seen from the mean of its decision; 0 for none."""
        there = ~np.isnan(gains)
        values = np.where(there, self.value(inputs), 0)
        mean = values.sum(1, keepdims=True) / there.sum(1, keepdims=True)
        found: Floats = np.where(there, values - mean - np.nan_to_num(gains), 0)
        return found

    def learn(self, inputs: Floats, gains: Floats, step: float) -> None:
        """One step down the gradient of the mean squared error."""
        first, bias, second, _ = self.weights
        error = self.error(inputs, gains).reshape(-1, 1) / len(gains)  # adds up to 0 for each decision
        rows = inputs.reshape(-1, WIDTH)
        hidden = np.tanh(rows @ first + bias)
        back = error * second * (1 - hidden**2)
        slopes = [rows.T @ back, back.sum(0), (hidden.T @ error)[:, 0], error.sum(0)]
        self.steps += 1
        for number, slope in enumerate(slopes):
            mean, square = self.moments[number]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            fair = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            self.weights[number] -= (step * fair * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def trained(inputs: Halves, gains: Floats, seed: int, screen: Screen) -> Net:
    """A net that learned from nine tenths of the decisions; the others say how well."""
    net, last = Net(seed), len(gains) * 9 // 10
    kept = np.nanmean(gains[last:] ** 2)
    for epoch in range(EPOCHS):
        order = net.rng.permutation(last)
        for first in range(0, last, BATCH):
            rows = order[first : first + BATCH]
            net.learn(inputs[rows].astype(np.float32), gains[rows], STEP * (1 - epoch / EPOCHS))
        error = net.error(inputs[last:].astype(np.float32), gains[last:])
        share = 1 - float((error**2).sum() / (~np.isnan(gains[last:])).sum() / kept)
        screen.say(f"epoch {epoch + 1}: explains {share:.1%} of what new decisions bring")
    return net


def written(net: Net, folder: Path) -> None:
    """Write the bot: its code as it is here, and the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("bot.py", "features.py"):
        shutil.copyfile(BOT / name, folder / name)
    first, bias, second, offset = (np.round(each.astype(float), 5).tolist() for each in net.weights)
    (folder / "weights.json").write_text(json.dumps([first, bias, second, offset[0]]), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, write the bot, and play it against greedy."""
    parser = Parser(prog="python -m kit.example", description="Train a bot and try it out.")
    parser.add_argument("--variant", default="crapaud", help="default: %(default)s")
    parser.add_argument("--decisions", type=count, default=60_000, help="default: %(default)s")
    parser.add_argument(
        "--to", type=Path, default=Path("learned"), help="the bot's folder; default: %(default)s"
    )
    parser.add_argument("--pairs", type=count, default=100, help="deals against greedy; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="the same seed trains the same bot")
    given: Any = parser.parse_args(arguments)
    screen = Screen()
    inputs, gains = gathered(given.variant, given.decisions, given.seed, screen)
    net = trained(inputs, gains, given.seed, screen)
    written(net, given.to)
    screen.say(f"The bot is in {given.to}. Now it plays greedy.")
    return play.main([str(given.to), "greedy", "--variant", given.variant, "--pairs", str(given.pairs)])


if __name__ == "__main__":
    sys.exit(main())
