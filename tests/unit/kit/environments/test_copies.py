"""Every public object can be copied and pickled, and goes on the same, here and in another process."""

import copy
import pickle
from array import array
from functools import partial
from random import Random
from typing import Any, Final

import pyspiel

import engine
import engine.policies
import engine.ticks
import engine.ticks.core
import engine.turns
import engine.turns.core
import engine.turns.search
from engine.points.outcome import Outcome
from engine.ticks.conversion import to_core as tick_core
from engine.turns.conversion import to_core
from engine.turns.core import Batch, Core, Dealer, Valuer
from kit.environments import SoloEnv, TickEnv, TurnEnv, VectorEnv, spiel
from kit.environments.batches import batch
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
