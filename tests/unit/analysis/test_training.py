"""The commands that make value functions and nets."""

import json
from pathlib import Path

import numpy as np
import pytest

import engine
from analysis.training import sharpness, train, train_valuers, value_network
from analysis.training.train_valuers import Sample, Trainer, chances
from analysis.training.value_network import TRACE, Lessons, returns
from analysis.values.function import Network, Sharpness
from engine.policies import valued
from engine.turns.core import Valuer
from engine.turns.moves import texts


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(train, "GAMES", 3)
    monkeypatch.setattr(train, "HELD_OUT", 1)
    monkeypatch.setattr(value_network, "BATCH", 64)
    monkeypatch.setattr(train, "WEIGHTS", tmp_path)
    return tmp_path


def test_the_same_command_writes_the_same_network(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = []
    for _ in range(2):
        assert train.main(["networks", "--variant", "crapaud"]) == 0
        written.append((small / "crapaud-1.json").read_text("utf-8"))
    assert written[0] == written[1]
    found = json.loads(written[0])
    assert (found["variant"], found["games"], set(found["explained"])) == ("crapaud", 3, {"result", "margin"})
    assert Network.from_dict(found["network"]).as_dict() == found["network"]
    assert "crapaud" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        train.main(["networks", "--variant", "vitesse"])
    assert "got 'vitesse'" in capsys.readouterr().err


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Little to search and to learn, and a folder of its own; the folder."""
    monkeypatch.setattr(train_valuers, "NODES", dict.fromkeys((2, 3, 4), 2))
    monkeypatch.setattr(train_valuers, "BATCH", 32)
    monkeypatch.setattr(valued, "NETS", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("board", "players", "name", "teacher"),
    [
        ("crapette", 2, "crapette.json", 0),
        ("crapette/3", 3, "crapette-3.json", 0),
        ("crapette", 2, "crapette.json", 96),
    ],
)
def test_the_same_command_writes_the_same_net_and_a_valuer_takes_it(
    quick: Path, board: str, players: int, name: str, teacher: int
) -> None:
    written = []
    words = ["--board", board, "--rounds", "2", "--games", "4", "--teacher", str(teacher)]
    for _ in range(2):
        assert train_valuers.main(words) == 0
        written.append((quick / name).read_text("utf-8"))
    assert written[0] == written[1]
    assert json.loads(written[0])["board"] == board
    valued.weights_of.cache_clear()
    core = engine.TurnGame.deal("crapette", "00" * 32, players).core
    assert valued.valuer(core, engine.variant("crapette")).planned(core)
    valued.weights_of.cache_clear()


def test_a_net_learns_what_its_teacher_says_and_is_compared_with_the_published_one(
    quick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = Trainer(engine.variant("crapette"), teacher=96)
    found = trainer.round(0, 8, 1.0)
    for _ in range(40):
        trainer.fit(Sample.together(found), 3e-3)
    inputs = found[0].inputs
    taught, teacher = chances(trainer.parts, inputs), chances(trainer.judge, inputs)
    assert np.corrcoef(taught, teacher)[0, 1] > 0.9
    further = Trainer(engine.variant("crapette"), teacher=96)
    further.go_on(trainer.as_dict())
    assert chances(further.judge, inputs) == pytest.approx(chances(further.parts, inputs), abs=1e-5)
    (quick / "crapette.json").write_text(json.dumps(trainer.as_dict()))
    words = ["--board", "crapette", "--rounds", "1", "--games", "4", "--compare", "2"]
    assert train_valuers.main([*words, "--to", str(quick / "new")]) == 0
    assert "against the published net, 2 pairs: " in capsys.readouterr().err
    assert (quick / "new/crapette.json").exists()


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


def constant(value: float) -> Network:
    """A network that gives the same result and margin for every position."""
    nothing = np.zeros((1, 2))
    return Network(np.zeros((1, 1)), np.zeros(1), nothing, np.full(2, value), 1.0)


def test_what_follows_counts_most_and_never_across_the_end_of_a_game() -> None:
    # Two games of two rows each; in the second row of a game the other seat is to move.
    targets = np.array([[1.0, 10.0], [-1.0, -10.0], [-1.0, -4.0], [1.0, 4.0]])
    found = Lessons(np.zeros((4, 1)), targets, np.array([0, 0, 1, 1]), np.array([1.0, -1.0, 1.0, -1.0]))
    wanted = returns(found, constant(0.5))
    # For seat 0 the network says that the second row of each game is worth -0.5.
    assert wanted[:, 0] == pytest.approx([TRACE - 0.5 * (1 - TRACE), -1, -TRACE - 0.5 * (1 - TRACE), 1])
    assert wanted[1].tolist() == [-1, -10]
    assert wanted[3].tolist() == [1, 4]


def test_the_sharpness_that_decided_games_is_found_again() -> None:
    dice = np.random.default_rng(1)
    logs, cards = dice.normal(0, 1.5, 20_000), dice.uniform(0, 94, 20_000)
    truth = Sharpness(0.5, 0.03, -0.2)
    told = truth.sharpen(logs, cards)
    wins = dice.random(20_000) < 1 / (1 + np.exp(-told))
    found = sharpness.fit(logs, cards, wins.astype(float), begins=True)
    assert found.least == pytest.approx(truth.least, abs=0.08)
    assert found.card == pytest.approx(truth.card, abs=0.003)
    assert found.first == pytest.approx(truth.first, abs=0.05)
    assert truth.blunt(told, cards) == pytest.approx(logs)


def test_odds_of_a_game_come_with_its_hidden_cards_which_become_fewer() -> None:
    logs, cards, points = sharpness.told_odds("crapaud", 0)
    assert len(points) == len(logs) == len(cards) > 50
    assert len(set(points.tolist())) == 1
    assert cards[0] > 80
    assert (np.diff(cards) <= 0).all()
    assert cards[-1] >= 0
