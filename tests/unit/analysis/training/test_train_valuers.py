"""The command that makes the nets of oracle's valuers."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from analysis.training import train_valuers
from analysis.training.train_valuers import Trainer, chances, slopes
from engine.policies import valued
from engine.turns.core import Valuer
from engine.turns.moves import texts


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Little to search and to learn, and a folder of its own; the folder."""
    monkeypatch.setattr(train_valuers, "NODES", dict.fromkeys((2, 3, 4), 2))
    monkeypatch.setattr(train_valuers, "BATCH", 32)
    monkeypatch.setattr(valued, "NETS", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("board", "players", "name"), [("crapette", 2, "crapette.json"), ("crapette/3", 3, "crapette-3.json")]
)
def test_the_same_command_writes_the_same_net_and_a_valuer_takes_it(
    quick: Path, board: str, players: int, name: str
) -> None:
    written = []
    for _ in range(2):
        assert train_valuers.main(["--board", board, "--rounds", "2", "--games", "4"]) == 0
        written.append((quick / name).read_text("utf-8"))
    assert written[0] == written[1]
    assert json.loads(written[0])["board"] == board
    valued.weights_of.cache_clear()
    core = engine.TurnGame.deal("crapette", "00" * 32, players).core
    assert valued.valuer(core, engine.variant("crapette")).planned(core)
    valued.weights_of.cache_clear()


def test_the_core_computes_what_the_trainer_does() -> None:
    trainer = Trainer(engine.variant("crapette"))
    core = engine.TurnGame.deal("crapette", "00" * 32).core
    net = Valuer(core, False, 1, trainer.weights())
    (worth, moves) = net.lines(core, 1)[0]
    assert len(moves) == 1
    after, seat = core.clone(), core.turn
    word = texts(2, seat)[moves[0]] or ""
    end = {"draw": 0, "r": 1, "d": 3}[word if word == "draw" else word[0]]
    if end:
        after.push(moves[0])
    inputs = np.asarray([net.inputs(after, seat, end)], np.float32)
    assert valued.likely(worth) == pytest.approx(float(chances(trainer.parts, inputs)[0]), abs=1e-5)


def test_with_more_seats_each_learns_from_its_own_lines_alone() -> None:
    trainer = Trainer(engine.variant("crapette"), 3)
    for part, number in zip(trainer.parts, (0, 0, 0, -math.log(2)), strict=True):
        part[:] = number  # everybody always has a third
    rows = np.zeros((5, 1 + 122 + 39), np.float32)
    rows[:, 0] = [0, 1, 0, 2, 1]
    trace = train_valuers.TRACE[3]
    before = (1 - trace) / 3
    for first_out, ends in ((1, (0, 1, 0)), (-1, (1 / 3, 1 / 3, 1 / 3))):
        last = [ends[0], ends[1], ends[2]]
        wanted = [trace * last[0] + before, trace * last[1] + before, last[0], last[2], last[1]]
        assert trainer.returns(rows, first_out) == pytest.approx(wanted, abs=1e-6)


def test_slopes_are_those_of_the_error() -> None:
    trainer = Trainer(engine.variant("crapette"))
    rng = np.random.default_rng(2)
    parts: Any = [part.astype(np.float64) for part in trainer.parts]
    inputs: Any = rng.normal(size=(5, train_valuers.INPUTS))
    wanted: Any = rng.uniform(size=5)

    def error() -> float:
        said = np.asarray(chances(parts, inputs), np.float64)
        return float(-(wanted * np.log(said) + (1 - wanted) * np.log(1 - said)).mean())

    for part, slope in zip(parts, slopes(parts, inputs, wanted), strict=True):
        flat, sloping = part.reshape(-1), slope.reshape(-1)
        place = int(np.abs(sloping).argmax())
        before = flat[place]
        flat[place] = before + 1e-2
        above = error()
        flat[place] = before - 1e-2
        below = error()
        flat[place] = before
        assert (above - below) / 2e-2 == pytest.approx(float(sloping[place]), rel=0.05, abs=1e-4)
