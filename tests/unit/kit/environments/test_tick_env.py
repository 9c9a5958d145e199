"""The game in which both act at once, as PettingZoo has it."""

from pettingzoo.test import parallel_api_test

from kit.environments.tick_env import UNSEEN, TickEnv


def test_it_passes_the_tests_of_the_interface() -> None:
    parallel_api_test(TickEnv(), num_cycles=300)


def test_hidden_cards_stay_hidden() -> None:
    observations, _ = TickEnv().reset(seed=1)
    seen = observations["seat_0"]["observation"]
    own = seen[8 : 8 + 124]
    assert (own[4 + 13 + 52 : 4 + 13 + 52 + int(own[-2])] == UNSEEN).all()
    assert (own[5 : 4 + int(own[-4])] == UNSEEN).all()
    assert own[4] not in (0, UNSEEN)
