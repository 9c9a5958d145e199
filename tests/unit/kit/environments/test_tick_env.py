"""The game in which both act at once, as PettingZoo has it."""

from random import Random
from typing import Any

from pettingzoo.test import parallel_api_test

from kit.environments.tick_env import UNSEEN, TickEnv


def test_it_passes_the_tests_of_the_interface() -> None:
    parallel_api_test(TickEnv(), num_cycles=300)


def played(seed: int) -> tuple[list[bytes], dict[str, float], dict[str, dict[str, Any]]]:
    """What seat 0 saw in a game of random actions, the rewards and the infos at the end."""
    env, rng = TickEnv(), Random(seed)
    observations, infos = env.reset(seed=seed)
    rewards: dict[str, float] = {}
    seen = []
    while env.agents:
        seen.append(observations["seat_0"]["observation"].tobytes())
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        chosen = {agent: rng.choice(mask.nonzero()[0].tolist()) for agent, mask in masks.items()}
        observations, rewards, _, _, infos = env.step(chosen)
    return seen, rewards, infos


def test_the_end_brings_rewards_and_points() -> None:
    _, rewards, infos = played(5)
    assert sum(rewards.values()) == 0
    first, second = infos["seat_0"]["points"]
    assert rewards["seat_0"] == (first > second) - (first < second)


def test_hidden_cards_stay_hidden() -> None:
    observations, _ = TickEnv().reset(seed=1)
    seen = observations["seat_0"]["observation"]
    own = seen[8 : 8 + 124]
    assert (own[4 + 13 + 52 : 4 + 13 + 52 + int(own[-2])] == UNSEEN).all()
    assert (own[5 : 4 + int(own[-4])] == UNSEEN).all()
    assert own[4] not in (0, UNSEEN)
