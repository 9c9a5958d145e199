"""Trains a bot: learns from the planner's choices what positions are worth, and writes a folder to upload.

Run ``python -m crapette.examples.imitation``. It takes a few minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from engine.policies import perturbed, planner
from engine.policies.planner import search
from engine.turns.moves import texts
from kit.cli import main as crapette
from kit.examples.imitation.bot.features import WIDTH, features
from kit.sdk.crapette.onnx import Layer
from kit.sdk.crapette.onnx import written as onnx_file

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
LINES: Final = 12
"""Looked at in each decision: the planner's, and some others."""
BATCH: Final = 64
STEP: Final = 0.005
BOT: Final = Path(__file__).with_name("bot")
ONNX_BOT: Final = Path(__file__).with_name("onnx_bot")


def decisions(variant: str, rng: Random) -> Iterator[tuple[Core, list[tuple[int, ...]]]]:
    """Yield cores in the middle of games with some lines of the seat to move, the planner's first, for ever.

    The planner plays with some random moves, so that the net sees more than well played games.
    """
    policy, careless = planner(NODES), perturbed(rng, 1.0)
    while True:
        core = engine.TurnGame.deal(variant, rng.randbytes(32).hex()).core.clone()
        while not core.over:
            seat = core.turn
            if rng.random() < 0.2:
                found = search(core, NODES)
                others = [line.moves for line in found.lines if line is not found.best]
                if others:
                    yield core, [found.best.moves, *rng.sample(others, min(LINES - 1, len(others)))]
            for move in careless(core) if rng.random() < 0.1 else policy(core):
                core.push(move)
                if core.over or core.turn != seat:
                    break


def gather(variant: str, size: int, seed: int) -> tuple[Halves, Floats]:
    """So many decisions: features (size, LINES, WIDTH), planner's line first, and which lines there are."""
    inputs, there = np.zeros((size, LINES, WIDTH), np.float16), np.zeros((size, LINES), np.float32)
    rng, began = Random(seed), time.monotonic()  # noqa: S311 (no secret)
    for row, (core, lines) in zip(range(size), decisions(variant, rng), strict=False):
        names = texts(2, core.turn)
        there[row, : len(lines)] = 1
        for place, moves in enumerate(lines):
            end = core.clone()
            for move in moves:
                if names[move] not in {"draw", "pass"}:
                    end.push(move)
            for index, number in features(end, core.turn):
                inputs[row, place, index] += number
        if (row + 1) % 5_000 == 0:
            print(f"{row + 1} decisions after {time.monotonic() - began:.0f} s")
    return inputs, there


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

    def chances(self, inputs: Floats, there: Floats) -> Floats:
        """How likely the net thinks each line of each decision to be the planner's."""
        values = np.where(there > 0, self.value(inputs), -np.inf)
        found: Floats = np.exp(values - values.max(1, keepdims=True))
        found /= found.sum(1, keepdims=True)
        return found

    def learn(self, inputs: Floats, there: Floats, step: float) -> None:
        """One step down the gradient of the cross-entropy with the planner's choices."""
        first, bias, second, _ = self.weights
        wrong = self.chances(inputs, there)
        wrong[:, 0] -= 1
        error = wrong.reshape(-1, 1) / len(there)
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


def train(inputs: Halves, there: Floats, seed: int) -> Net:
    """A net that learned from nine tenths of the decisions; the others say how well."""
    net, last = Net(seed), len(there) * 9 // 10
    for epoch in range(EPOCHS):
        order = net.rng.permutation(last)
        for first in range(0, last, BATCH):
            rows = order[first : first + BATCH]
            net.learn(inputs[rows].astype(np.float32), there[rows], STEP * (1 - epoch / EPOCHS))
        chances = net.chances(inputs[last:].astype(np.float32), there[last:])
        share = float(np.mean(chances.argmax(1) == 0))
        print(f"epoch {epoch + 1}: finds the planner's line in {share:.1%} of new decisions")
    return net


def write_bot(net: Net, folder: Path, *, onnx: bool = False) -> None:
    """Write the bot: its code as it is here, and the weights, as an ONNX file or as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(BOT / "features.py", folder / "features.py")
    shutil.copyfile((ONNX_BOT if onnx else BOT) / "bot.py", folder / "bot.py")
    first, bias, second, offset = (np.round(each.astype(float), 5).tolist() for each in net.weights)
    if onnx:
        layers = [Layer(first, bias, "Tanh"), Layer([[weight] for weight in second], offset)]
        (folder / "net.onnx").write_bytes(onnx_file(layers))
        (folder / "requirements.txt").write_text("numpy\nonnxruntime\n", encoding="utf-8")
    else:
        (folder / "weights.json").write_text(json.dumps([first, bias, second, offset[0]]), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, write the bot, and play it against greedy."""
    parser = argparse.ArgumentParser(
        prog="python -m crapette.examples.imitation", description="Train a bot and test it."
    )
    parser.add_argument("--variant", default="crapaud", help="default: %(default)s")
    parser.add_argument("--decisions", type=int, default=12_000, help="default: %(default)s")
    parser.add_argument(
        "--to", type=Path, default=Path("learned"), help="the bot's folder; default: %(default)s"
    )
    parser.add_argument("--pairs", type=int, default=100, help="deals against greedy; default: %(default)s")
    parser.add_argument(
        "--onnx", action="store_true", help="write the net as an ONNX file, with a bot that runs it"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed trains the same bot")
    parser.add_argument(
        "--unsandboxed", action="store_true", help="play as an ordinary program, as `crapette play` has it"
    )
    given: Any = parser.parse_args(arguments)
    inputs, there = gather(given.variant, given.decisions, given.seed)
    net = train(inputs, there, given.seed)
    write_bot(net, given.to, onnx=given.onnx)
    print(f"The bot is in {given.to}. Now it plays greedy.")
    words = [str(given.to), "greedy", "--variant", given.variant, "--pairs", str(given.pairs)]
    return crapette(["play", *words, *(["--unsandboxed"] if given.unsandboxed else [])])


if __name__ == "__main__":
    sys.exit(main())
