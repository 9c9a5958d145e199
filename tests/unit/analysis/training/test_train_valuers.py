"""The command that makes the nets of oracle's valuers."""

import json
from pathlib import Path

import numpy as np
import pytest

import engine
from analysis.training import train_valuers
from analysis.training.train_valuers import Trainer, chances
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
