"""The games as others have them: PettingZoo, OpenSpiel, NumPy; and copies of all public objects."""

import copy
import pickle
import warnings
from array import array
from functools import partial
from random import Random
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
from engine.points.outcome import Outcome
from engine.ticks.conversion import to_core as tick_core
from engine.turns.conversion import to_core
from engine.turns.core import Batch, Core, Dealer, Valuer
from kit.environments import SoloEnv, TickEnv, TurnEnv, VectorEnv, spiel
from kit.environments.batches import batch
from kit.environments.tick_env import UNSEEN
from kit.environments.vector import TOLD

START: Final = engine.TurnGame.deal("crapaud", "copies")
TICKS: Final = engine.TickGame.deal("vitesse", "copies")


def played(game: Any, words: int) -> Any:
    """The game after some of its first words."""
    for _ in range(words):
        game.apply(game.words()[0] if isinstance(game, engine.TickGame) else game.legal_moves()[-1])
    return game


def some_batch() -> Batch:
    """Two games with opponents, in the middle."""
    room = [array("h", [0] * 2), bytearray(256), None, bytearray(948), None, None, None, None, None, None]
    how: dict[str, Any] = {"prefix": "", "first": 3, "everything": False, "again": True}
    found = batch("crapaud", 2, 2, room, opponents=(None, "random"), **how)
    found.reset()
    found.play(30, 1)
    return found


def examples() -> list[Any]:
    """Objects of all kinds, in the middle of something where there is one."""
    turns, ticks = played(START.clone(), 25), played(TICKS.clone(), 25)
    tall, core = played(engine.TurnGame.deal("crapette", "copies", 4), 40), to_core(turns.position)[0]
    valuer = Valuer(core, 0, 6, [(7 * place % 13 - 6) / 40 for place in range(48 * 124 + 1)])
    valuer.err(0.5, 3)
    vector = VectorEnv("crapaud", games=5, prefix="copies/", opponents=("greedy", None), workers=2)
    vector.reset(seed=2)
    vector.play(60, seed=1)
    envs: list[Any] = [TurnEnv(), TickEnv(), SoloEnv()]
    for env in envs:
        env.reset(seed=4)
    state = pyspiel.load_game("python_crapette").new_initial_state()
    state.apply_action(5)
    found = [turns, ticks, tall, core, tick_core(ticks.position), turns.observation(1), turns.history[0]]
    found += [ticks.history[0], turns.legal()[0], turns.clone().play(["t99"]), engine.variant("crapette-it")]
    found += [engine.turns.Tracker.of(turns.observation(0)), engine.ticks.TickTracker(TICKS.start)]
    found += [Outcome("win", ((0,), (1,)), (1, 0)), engine.policies.bots(engine.variant("crapaud"), 9)]
    found += [some_batch(), valuer, Dealer(engine.variant("crapo"), 2, bytes(range(52)), b"copies/")]
    return [*found, vector, *envs, TurnEnv(), state, pyspiel.load_game("python_crapette_vitesse")]


def goes_on(thing: Any) -> Any:
    """What comes of it: for two that are the same, the same."""
    match thing:
        case engine.Game():
            before = (len(thing.history), str(thing.position))
            thing.pop() if thing.history else None
            return before, str(played(thing, 15).position), [event.as_dict() for event in thing.history]
        case Core():
            token = thing.push(thing.legal()[0])
            thing.undo(token)
            return thing.hash(), thing.state(), thing.playout(5, 60), thing.hash(), thing.legal()
        case engine.ticks.core.TickCore():
            return thing.playout(5, 60), thing.both(), [thing.pile(which, 1) for which in range(3)]
        case Batch():
            thing.play(40, 2)
            return [thing.core(index).hash() for index in range(2)], thing.deal_of(1), thing.observation(0, 1)
        case Valuer():
            return thing.lines(START.core, 4)
        case Dealer():
            room: list[Any] = [array("h", [0]), *[None] * 9]
            games = Batch(thing, engine.TurnGame.deal("crapo", "x").core, 1, room)
            games.reset()
            return games.core(0).hash()
        case VectorEnv():
            thing.step(thing.legal.argmax(axis=1))
            thing.play(700, seed=3)
            return [getattr(thing, name).tolist() for name in TOLD]
        case TurnEnv() | TickEnv() | SoloEnv():
            return _steps(thing)
        case engine.turns.Tracker():
            return str(thing.position)
        case engine.ticks.TickTracker():
            return str(thing.known(TICKS.position))
        case pyspiel.State():
            player = max(thing.current_player(), 0)
            seen = thing.observation_tensor(player), thing.information_state_string(player)
            return str(thing), seen, thing.legal_actions(player)
        case engine.policies.Bots():
            careless = thing.perturbed(Random(3), 0.5)
            return (
                thing.planner(START.core),
                thing.greedy(START.core),
                [careless(START.core) for _ in range(9)],
            )
        case engine.Replay():
            return thing.played, str(thing.error), str(thing.game.position)
    return repr(thing)


def _steps(env: Any) -> Any:
    """Where a few first actions lead; the first deal is `reset`'s where there was none."""
    found: list[Any] = []
    if not getattr(env, "agents", True) or not getattr(env, "_following", True):
        env.reset(seed=9)
    for _ in range(6):
        if isinstance(env, SoloEnv):
            seen: Any = env.step(int(env.action_masks().nonzero()[0][-1]))[0]
        elif isinstance(env, TickEnv):
            seen = env.step(dict.fromkeys(env.agents, engine.ticks.ACTIONS.index("wait")))[0]
            seen = seen["seat_0"]["observation"]
        else:
            env.step(int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][-1]))
            seen = env.observe("seat_0")["observation"]
        found.append(seen.tolist())
    return found


def pickled(thing: Any, protocol: int) -> Any:
    """What comes back."""
    return pickle.loads(pickle.dumps(thing, protocol))


def test_a_copy_goes_on_as_the_thing_itself_and_shares_nothing_with_it() -> None:
    expected = [goes_on(thing) for thing in examples()]
    for way in (partial(pickled, protocol=2), partial(pickled, protocol=5), copy.deepcopy):
        things = examples()
        others = [way(thing) for thing in things]
        assert [type(other) for other in others] == [type(thing) for thing in things]
        assert [goes_on(other) for other in others] == expected
        assert [goes_on(thing) for thing in things] == expected


assert spiel  # it registers the games


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


@pytest.mark.parametrize(("variant", "players"), [("crapaud", 2), ("crapette-it", 2), ("crapette", 4)])
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
