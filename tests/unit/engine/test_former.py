"""Bots that were uploaded to earlier releases go on importing the engine by the names of then."""

from __future__ import annotations

import subprocess
import sys

import pytest

import engine
from engine import former

BOT = """
import engine
from engine.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE, Completions, Core
from engine.moves import numbers, texts
from engine.policies import greedy, playout, race_playout
from engine.race import RaceGame, Tick
from engine.racecore import RaceCompletions, RaceCore, STOP
from engine.racetable import to_race, to_race_core
from engine.sampling import cores, sample
from engine.stacks import expand
from engine.table import card_of, to_core
from engine.tracker import Tracker
from engine.rewind import rewind
from engine.turns import plans
from engine.vitesse import ACTIONS, Race, deal
from engine.position import Position
from engine.game import Game
import engine.sampling
import engine.deal
import engine.score

game = engine.Game(engine.Position.parse(str(engine.deal("crapaud", "00" * 32))))
assert isinstance(game, Game) and isinstance(game.position, Position)
assert texts(2, game.turn)[greedy(game.core)] == "t6-f"
race = engine.RaceGame.deal("00" * 32)
assert race.push("s2-f", "turn") == race.history[0]
assert engine.RaceGame(Race.parse(str(race.position))).position == race.position
assert ACTIONS[to_race_core(deal("00" * 32)).legal(0)[0]] == "s2-f"
assert to_race(to_race_core(race.position)) == race.position
assert engine.any_deal("vitesse", "00" * 32) == deal("00" * 32) == engine.Race.parse(str(deal("00" * 32)))
assert engine.any_variant("vitesse") is engine.VITESSE is engine.ALL_VARIANTS["vitesse"]
assert engine.any_position(str(race.position)) == race.position
assert race_playout(to_race_core(race.position)).over
assert callable(engine.score) and engine.score.score
assert engine.core is not None and engine.sampling.sample is sample
"""


def test_a_bot_of_an_earlier_release_finds_all_that_its_page_told_it() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BOT], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_never_was_is_none_now() -> None:
    with pytest.raises(AttributeError, match=r"^module 'engine' has no attribute 'spades'$"):
        engine.spades  # noqa: B018
    assert not former.Finder().find_spec("engine.spades", None)
    assert not former.Finder().find_spec("other.core", None)
