"""The games as others have them: PettingZoo, OpenSpiel, NumPy; and copies of all public objects."""

import copy
import pickle
import warnings
from typing import Any, Final

import numpy as np
import pyspiel
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import engine
import engine.policies
import engine.ticks
import engine.ticks.core
import engine.turns
import engine.turns.core
import engine.turns.search
from engine.errors import EngineError
from engine.ticks.conversion import to_core as tick_core
from engine.turns.conversion import to_core
from engine.turns.core import Core
from kit.environments import SoloEnv, TickEnv, TurnEnv, VectorEnv, spiel
from kit.environments.tick_env import UNSEEN
from kit.environments.vector import TOLD

START: Final = engine.TurnGame.deal("crapaud", "copies")
TICKS: Final = engine.TickGame.deal("vitesse", "copies")


def played(game: Any, words: int) -> Any:
    for _ in range(words):
        game.apply(game.words()[0] if isinstance(game, engine.TickGame) else game.legal_moves()[-1])
    return game


def examples() -> list[Any]:
    turns, ticks = played(START.clone(), 25), played(TICKS.clone(), 25)
    vector = VectorEnv("crapaud", games=5, prefix="copies/", opponents=("greedy", None), workers=2)
    vector.reset(seed=2)
    vector.play(60, seed=1)
    envs: list[Any] = [TurnEnv(), SoloEnv()]
    for env in envs:
        env.reset(seed=4)
    state = pyspiel.load_game("python_crapette").new_initial_state()
    state.apply_action(5)
    core, tracker = to_core(turns.position)[0], engine.turns.Tracker.of(turns.observation(0))
    return [
        turns,
        ticks,
        core,
        tick_core(ticks.position),
        tracker,
        turns.observation(1),
        vector,
        *envs,
        state,
    ]


def goes_on(thing: Any) -> Any:
    """What comes of it: for two that are the same, the same."""
    match thing:
        case engine.Game():
            return str(played(thing, 15).position), [event.as_dict() for event in thing.history]
        case Core():
            return thing.hash(), thing.state(), thing.playout(5, 60), thing.hash(), thing.legal()
        case engine.ticks.core.TickCore():
            return thing.playout(5, 60), [thing.pile(which, 1) for which in range(3)]
        case VectorEnv():
            thing.step(thing.legal.argmax(axis=1))
            thing.play(700, seed=3)
            return [getattr(thing, name).tolist() for name in TOLD]
        case SoloEnv():
            return [thing.step(int(thing.action_masks().nonzero()[0][-1]))[0].tolist() for _ in range(6)]
        case TurnEnv():
            thing.step(int(thing.observe(thing.agent_selection)["action_mask"].nonzero()[0][-1]))
            return thing.observe("seat_0")["observation"].tolist()
        case engine.turns.Tracker():
            return str(thing.position)
    return repr(thing), str(thing)


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def test_a_copy_goes_on_as_the_thing_itself_and_shares_nothing_with_it() -> None:
    expected = [goes_on(thing) for thing in examples()]
    for way in (pickled, copy.deepcopy):
        things = examples()
        others = [way(thing) for thing in things]
        assert [type(other) for other in others] == [type(thing) for thing in things]
        assert [goes_on(other) for other in others] == expected
        assert [goes_on(thing) for thing in things] == expected


@pytest.mark.parametrize(
    ("name", "how"), [("python_crapette", {"variant": "crapette-it"}), ("python_crapette_vitesse", {})]
)
def test_a_game_passes_the_random_simulation(name: str, how: dict[str, str]) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(name, {**how, "deals": 20}), num_sims=1, serialize=False, verbose=False
    )


def test_what_a_seat_is_told_does_not_depend_on_hidden_cards() -> None:
    game = pyspiel.load_game("python_crapette", {"variant": "crapaud", "deals": 20})
    state = game.new_initial_state()
    state.apply_action(7)
    full, shown = str(state), state.information_state_string(0)
    assert state.clone().information_state_string(0) == shown
    hidden = engine.turns.TurnPosition.parse(full.splitlines()[0]).seats[0].hand
    assert "??" in shown
    assert "/".join(hidden) not in shown
    assert not any(",".join(hidden[at : at + 3]) in shown for at in range(len(hidden) - 3))


assert spiel  # it registers the games


def test_it_passes_the_tests_of_the_interface() -> None:
    parallel_api_test(TickEnv(), num_cycles=300)


def test_hidden_cards_stay_hidden() -> None:
    observations, _ = TickEnv().reset(seed=1)
    seen = observations["seat_0"]["observation"]
    own = seen[8 : 8 + 124]
    assert (own[4 + 13 + 52 : 4 + 13 + 52 + int(own[-2])] == UNSEEN).all()
    assert (own[5 : 4 + int(own[-4])] == UNSEEN).all()
    assert own[4] not in (0, UNSEEN)


@pytest.mark.parametrize(("variant", "players"), [("crapette-it", 2), ("crapette", 4)])
@pytest.mark.filterwarnings("ignore:Observation")  # a dictionary with a mask, as in PettingZoo's own games
def test_it_passes_the_tests_of_the_interface_of_turn_env(variant: str, players: int) -> None:
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


def test_a_seed_is_the_number_of_a_deal_everywhere() -> None:
    for env in (VectorEnv("crapaud", games=1), SoloEnv(), TurnEnv(), TickEnv()):
        for seed in (-1, 1.0, True, "0", 2**63):
            with pytest.raises(ValueError, match="the number of a deal from 0 to 4611686018427387904, got"):
                env.reset(seed=seed)  # type: ignore[arg-type]
        env.reset(seed=np.int64(7))  # type: ignore[arg-type]
