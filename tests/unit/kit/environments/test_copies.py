"""Every public object can be copied and pickled, and goes on the same, here and in another process."""

import copy
import inspect
import pickle
from array import array
from enum import Enum
from functools import partial
from random import Random
from types import ModuleType
from typing import Any, Final

import pyspiel
import pytest

import engine
import engine.policies
import engine.ticks
import engine.ticks.core
import engine.turns
import engine.turns.core
import engine.turns.search
import kit.environments
from engine.points.outcome import Outcome
from engine.policies.greedy import EMPTIES_HOUSE, rank_table
from engine.ticks.conversion import to_core as tick_core
from engine.turns.conversion import to_core
from engine.turns.core import Batch, Completions, Core, Dealer, Solver, Valuer
from kit.environments import SoloEnv, TickEnv, TurnEnv, VectorEnv, spiel
from kit.environments.batches import batch
from kit.environments.vector import TOLD

MODULES: Final = (
    *(engine, engine.policies, engine.ticks, engine.ticks.core, engine.turns, engine.turns.core),
    *(engine.turns.search, kit.environments),
)
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


def reset(env: Any) -> Any:
    """The environment in its first game."""
    env.reset(seed=4)
    return env


def dealt(name: str) -> Any:
    """A state of a game of OpenSpiel after the deal."""
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(5)
    return state


def examples() -> list[Any]:
    """Objects of all public classes, in the middle of something where there is one."""
    turns, ticks = played(START.clone(), 25), played(TICKS.clone(), 25)
    tall, core = played(engine.TurnGame.deal("crapette", "copies", 4), 40), to_core(turns.position)[0]
    valuer = Valuer(core, 0, 6, [(7 * place % 13 - 6) / 40 for place in range(48 * 124 + 1)])
    valuer.err(0.5, 3)
    tracker, tick_tracker = (
        engine.turns.Tracker.of(turns.observation(0)),
        engine.ticks.TickTracker(TICKS.start),
    )
    vector = VectorEnv("crapaud", games=5, prefix="copies/", opponents=("greedy", None), workers=2)
    vector.reset(seed=2)
    vector.play(60, seed=1)
    return [
        *(
            turns,
            ticks,
            tall,
            engine.Game.deal("russian-bank", "copies"),
            core,
            tall.core.clone(),
            tick_core(ticks.position),
        ),
        *(turns.position, ticks.position, turns.observation(1), turns.history[0], ticks.history[0]),
        *(turns.legal()[0], turns.position.counters, turns.position.tally, turns.position.seats[0]),
        *(
            ticks.position.seats[0],
            ticks.history[0].done[0],
            turns.clone().play(["t99"]),
            engine.variant("crapette-it"),
        ),
        *(
            tracker,
            tick_tracker,
            Outcome("win", ((0,), (1,)), (1, 0)),
            next(iter(engine.turns.plans(turns))),
        ),
        *(
            engine.policies.bots(engine.variant("crapaud"), 9),
            some_batch(),
            valuer,
            engine.turns.Ending(1, (3,), 9),
        ),
        Dealer(engine.variant("crapo"), 2, bytes(range(52)), b"copies/"),
        *(
            vector,
            reset(TurnEnv()),
            TurnEnv(),
            reset(TickEnv()),
            TickEnv(),
            reset(SoloEnv()),
            SoloEnv(seat=1),
        ),
        *(pyspiel.load_game("python_crapette"), dealt("python_crapette")),
        *(pyspiel.load_game("python_crapette_vitesse"), dealt("python_crapette_vitesse")),
    ]


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


def public_classes() -> dict[str, type]:
    """Every class that a public name stands for, but errors, enumerations and what is only derived from."""
    found = {}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, ModuleType) or not inspect.isclass(thing) or inspect.isabstract(thing):
                continue
            if not issubclass(thing, (Exception, Enum)):
                found[f"{module.__name__}.{name}"] = thing
    return found


WORK: Final = {Completions, Solver, engine.ticks.core.TickCompletions}
"""What only one search works on."""


def test_every_public_class_is_tried() -> None:
    tried = {type(each) for each in examples()} | WORK
    missing = [
        name for name, each in public_classes().items() if not any(issubclass(one, each) for one in tried)
    ]
    assert missing == []
    assert len(public_classes()) > 25


def test_a_copy_goes_on_as_the_thing_itself_and_shares_nothing_with_it() -> None:
    expected = [goes_on(thing) for thing in examples()]
    for way in (partial(pickled, protocol=2), partial(pickled, protocol=5), copy.deepcopy):
        things = examples()
        others = [way(thing) for thing in things]
        assert [type(other) for other in others] == [type(thing) for thing in things]
        assert [goes_on(other) for other in others] == expected
        assert [goes_on(thing) for thing in things] == expected


def test_what_one_search_works_on_says_that_it_cannot_be_copied() -> None:
    hands = [START.core.pile(24), START.core.pile(25)]
    ways = Completions(START.core, hands, 2, 1, rank_table(), EMPTIES_HOUSE, 2)
    tick_ways = engine.ticks.core.TickCompletions(tick_core(TICKS.position), [[], []], 2, 1, bytes(16), 1, 2)
    for thing in (ways, tick_ways, Solver(START.core, 16, 16)):
        for copied in (copy.deepcopy, copy.copy, pickle.dumps):
            with pytest.raises(
                TypeError, match=f"cannot copy or pickle a {type(thing).__name__}; make another"
            ):
                copied(thing)


assert spiel  # it registers the games
