"""Many games at once in NumPy arrays."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.errors import EngineError
from engine.turns.layout import UNSEEN, cards
from kit.environments.vector import VectorEnv


def test_the_arrays_are_written_in_place() -> None:
    env = VectorEnv("crapette", 3, games=7, seed="place/")
    env.reset()
    seen, before = env.observations, env.observations.copy()
    env.step(env.legal.argmax(axis=1))
    assert (seen != before).any()


def test_games_are_the_deals_of_their_numbers() -> None:
    env = VectorEnv("crapaud", games=3, seed="deal/", first=10)
    env.reset()
    for game in range(3):
        assert env.position(game) == engine.deal("crapaud", f"deal/{10 + game}")
        assert env.deal_of(game) == 10 + game


def test_splitting_the_games_changes_none_of_them() -> None:
    whole = VectorEnv("crapo", games=4, seed="split/")
    whole.reset()
    for _ in range(300):
        whole.step(whole.legal.argmax(axis=1))
    for game in range(4):
        alone = VectorEnv("crapo", games=1, seed="split/", first=game)
        alone.reset()
        for _ in range(100):
            alone.step(alone.legal.argmax(axis=1))
        assert alone.deal_of(0) == game
    assert [whole.deal_of(game) % 4 for game in range(4)] == [0, 1, 2, 3]


def test_every_card_can_be_shown() -> None:
    shown, hidden = (VectorEnv("crapaud", games=2, seed="all/", everything=each) for each in (True, False))
    shown.reset()
    hidden.reset()
    hand = shown.layout.seats[0].hand
    assert (hidden.observations[:, hand][:, :30] == UNSEEN).all()
    assert UNSEEN not in shown.observations
    position = shown.position(0)
    own = position.seats[position.turn].hand
    assert cards(engine.variant("crapaud"), shown.observations[0, hand].tolist()) == [*reversed(own)]


def test_play_without_observations_gives_the_same_games() -> None:
    seeing, blind = (VectorEnv("crapaud", games=4, seed="p/", observe=each) for each in (True, False))
    for env in (seeing, blind):
        env.reset()
        env.play(700, seed=5)
    assert [seeing.core(game).hash() for game in range(4)] == [blind.core(game).hash() for game in range(4)]
    assert blind.observations.shape == (0, 474)


def test_rewards_come_when_a_game_ends() -> None:
    env = VectorEnv("russian-bank", games=16, seed="end/")
    env.reset()
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(2500):
        env.step((env.legal * rng.random(env.legal.shape)).argmax(axis=1))
        ended += int((env.ended > 0).sum())
        assert (env.rewards.sum(axis=1) == 0).all()
        assert (env.rewards[env.ended == 0] == 0).all()
        assert (np.abs(env.rewards[env.ended == 1]) == 1).all()
    assert ended > 10


@pytest.mark.parametrize("actions", [[0, 0], 5, [[0, 0, 0]]])
def test_so_many_actions_as_games_are_expected(actions: object) -> None:
    env = VectorEnv("crapaud", games=3)
    env.reset()
    with pytest.raises(ValueError, match="expected 3 actions, got an array of shape"):
        env.step(actions)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variant", "players", "seed", "message"),
    [
        ("vitesse", 2, "", "expected a game of turns"),
        ("crapaud", 3, "", "expected 2 players"),
        ("crapette", 2, "x" * 41, "at most 40 bytes"),
        ("whist", 2, "", "whist"),
    ],
)
def test_what_is_no_game_is_refused(variant: str, players: int, seed: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        VectorEnv(variant, players, games=1, seed=seed)
