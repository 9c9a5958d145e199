"""Many games at once in NumPy arrays."""

import numpy as np
import pytest

import engine
from engine.turns.layout import UNSEEN, cards
from kit.environments import SoloEnv, TickEnv, TurnEnv, VectorEnv
from kit.environments.vector import TOLD


def test_games_are_the_deals_of_their_numbers() -> None:
    env = VectorEnv("crapaud", games=3, prefix="deal/")
    for seed, first in ((10, 10), (None, 13), (0, 0)):
        env.reset(seed=seed)
        for game in range(3):
            assert env.position(game) == engine.deal("crapaud", f"deal/{first + game}")
            assert env.deal_of(game) == first + game


def test_threads_change_no_game() -> None:
    envs = [
        VectorEnv("crapo", games=5, prefix="split/", opponents=(None, "random"), workers=workers)
        for workers in (1, 2, 9)
    ]
    for env in envs:
        env.reset(seed=0)
    for _ in range(300):
        for env in envs:
            env.step(env.legal.argmax(axis=1))
    for env in envs:
        env.play(3000, seed=3)
        for name in TOLD:
            assert (getattr(env, name) == getattr(envs[0], name)).all(), name
        assert [env.deal_of(game) % 5 for game in range(5)] == [0, 1, 2, 3, 4]
        assert env.returns.any()
    with pytest.raises(ValueError, match=r"expected a game from 0 to 4, got 5"):
        envs[1].deal_of(5)


def test_every_card_can_be_shown() -> None:
    shown, hidden = (VectorEnv("crapaud", games=2, prefix="all/", everything=each) for each in (True, False))
    shown.reset()
    hidden.reset()
    hand = shown.layout.seats[0].hand
    assert (hidden.observations[:, hand][:, :30] == UNSEEN).all()
    assert UNSEEN not in shown.observations
    position = shown.position(0)
    own = position.seats[position.turn].hand
    assert cards(engine.variant("crapaud"), shown.observations[0, hand].tolist()) == [*reversed(own)]


def test_a_seed_is_the_number_of_a_deal_everywhere() -> None:
    for env in (VectorEnv("crapaud", games=1), SoloEnv(), TurnEnv(), TickEnv()):
        for seed in (-1, 1.0, True, "0", 2**63):
            with pytest.raises(ValueError, match="the number of a deal from 0 to 4611686018427387904, got"):
                env.reset(seed=seed)  # type: ignore[arg-type]
        env.reset(seed=np.int64(7))  # type: ignore[arg-type]
