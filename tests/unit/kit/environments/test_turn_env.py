"""One game of turns as PettingZoo has it."""

import warnings

import pytest
from pettingzoo.test import api_test, seed_test

from engine.errors import EngineError
from kit.environments.turn_env import TurnEnv


@pytest.mark.parametrize(("variant", "players"), [("crapaud", 2), ("crapette-it", 2), ("crapette", 4)])
@pytest.mark.filterwarnings("ignore:Observation")  # a dictionary with a mask, as in PettingZoo's own games
def test_it_passes_the_tests_of_the_interface(variant: str, players: int) -> None:
    api_test(TurnEnv(variant, players), num_cycles=300)


def test_the_same_seed_gives_the_same_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: TurnEnv("crapette"), num_cycles=50)


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(EngineError, match="expected a game of turns, got vitesse"):
        TurnEnv("vitesse")
    env = TurnEnv("crapaud")
    env.reset(seed=1)
    for action in (None, -1, 127, 4000):
        with pytest.raises(ValueError, match=r"expected one of \["):
            env.step(action)
