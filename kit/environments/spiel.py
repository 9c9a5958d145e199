"""The games as OpenSpiel games: ``python_crapette`` in turns, ``python_crapette_vitesse`` in ticks.

Importing this module registers them. A game begins with one chance node, which chooses among numbered
deals: ``engine.deal(variant, f"{prefix}{k}")``. Information state tensors are the observation tensors: an
observation holds every card that was ever seen, in its place, and leaves out only in which order things
happened; information state strings are the whole public history.

OpenSpiel asks Python for every move here, so for speed take `vector`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

import engine
from engine.protocol import tracker
from engine.ticks import ACTIONS
from engine.turns.layout import encode, layout
from engine.turns.moves import texts
from kit.environments.tick_env import SIZE, encode_tick

if TYPE_CHECKING:
    from collections.abc import Mapping

SEATS = 2
MOVES = 128
LONGEST = 10_000_000
"""More plies than a game can have: 104 cards go to foundations, at most 200 turns apart (RULES 3)."""


def _kind(short: str, long: str, dynamics: Any, parameters: dict[str, Any]) -> Any:
    """The description of a game that OpenSpiel asks for."""
    return pyspiel.GameType(
        short_name=short,
        long_name=long,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=SEATS,
        min_num_players=SEATS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=parameters,
    )


TURNS = _kind(
    "python_crapette",
    "Crapette, in turns",
    pyspiel.GameType.Dynamics.SEQUENTIAL,
    {"variant": "crapaud", "deals": 1000, "prefix": ""},
)
TICKS = _kind(
    "python_crapette_vitesse",
    "Crapette vitesse, both at once",
    pyspiel.GameType.Dynamics.SIMULTANEOUS,
    {"deals": 1000, "prefix": ""},
)


class CrapetteGame(pyspiel.Game):  # type: ignore[misc] # without types of its own
    """A variant of turns for two."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {"variant": "crapaud", "deals": 1000, "prefix": "", **(params or {})}
        self.variant, self.deals, self.prefix = given["variant"], int(given["deals"]), given["prefix"]
        rules = engine.variant(self.variant)
        if rules.in_ticks:
            raise engine.EngineError(
                f"expected a game of turns, got {self.variant}, which {TICKS.short_name} has"
            )
        super().__init__(TURNS, _info(MOVES, self.deals), given)

    def new_initial_state(self, *_: object) -> CrapetteState:
        """Before the deal."""
        return CrapetteState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees."""
        return Observer(layout(SEATS).size, recall=bool(iig_obs_type and iig_obs_type.perfect_recall))


class VitesseGame(pyspiel.Game):  # type: ignore[misc] # without types of its own
    """The game in which both act at once."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {"deals": 1000, "prefix": "", **(params or {})}
        self.variant, self.deals, self.prefix = "vitesse", int(given["deals"]), given["prefix"]
        super().__init__(TICKS, _info(len(ACTIONS), self.deals), given)

    def new_initial_state(self, *_: object) -> VitesseState:
        """Before the deal."""
        return VitesseState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a seat sees."""
        return Observer(SIZE, recall=bool(iig_obs_type and iig_obs_type.perfect_recall))


def _info(actions: int, deals: int) -> Any:
    """The numbers that OpenSpiel asks for."""
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=deals,
        num_players=SEATS,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )


class _State(pyspiel.State):  # type: ignore[misc] # without types of its own
    """What both kinds of game share: the deal, the end, and how a state is copied."""

    game: Any
    tracker: Any

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.held = _Held(game.variant, game.deals, game.prefix)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.held.game is not None and self.held.game.finished

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal is as likely as any other."""
        return [(deal, 1 / self.held.deals) for deal in range(self.held.deals)]

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the other at the end; else 0."""
        outcome = self.held.game.outcome() if self.held.game else None
        if outcome is None or len(outcome.ranking[0]) > 1:
            return [0.0, 0.0]
        return [1.0 if seat == outcome.ranking[0][0] else -1.0 for seat in range(SEATS)]

    def __str__(self) -> str:
        """The position with every card, and the position after the deal."""
        return f"{self.held.game.start}\n{self.held.game.position}" if self.held.game else "before the deal"


class _Held:
    """A game and what all know of it, which `copy.deepcopy` can copy: OpenSpiel clones states so."""

    def __init__(self, variant: str, deals: int, prefix: str) -> None:
        self.variant, self.deals, self.prefix = variant, deals, prefix
        self.game: Any = None
        self.tracker: Any = None
        self._number = -1
        self._lines: list[str] = []

    def deal(self, number: int) -> None:
        """Deal."""
        self._number = number
        self.game = engine.Game.deal(self.variant, f"{self.prefix}{number}")
        self.tracker = tracker(self.game.start)
        self._lines = [str(self.game.start.public())]

    def apply(self, word: str) -> None:
        """Make a move, and call stop at an irregular one."""
        self.hear(self.game.apply(word))
        game = self.game
        if game.variant.stop_calls and game.can_stop() and game.position.counters.last == "!":
            self.hear(game.stop())

    def hear(self, event: Any) -> None:
        """Take in what happened."""
        self.tracker.see(event)
        self._lines.append(str(event.as_dict()))

    def __reduce__(self) -> tuple[Any, ...]:
        words = [] if self.game is None else engine.words_of(event.as_dict() for event in self.game.history)
        return _again, (self.variant, self.deals, self.prefix, self._number, words)

    def __deepcopy__(self, memo: object) -> _Held:
        other = _Held(self.variant, self.deals, self.prefix)
        if self.game is not None:
            other.game, other.tracker = self.game.clone(), self.tracker.copy()
            other._number, other._lines = self._number, self._lines[:]
        return other

    def history(self) -> str:
        """Everything that all know: the public start and what happened since."""
        return "\n".join(self._lines) or "before the deal"


def _again(variant: str, deals: int, prefix: str, number: int, words: list[str]) -> _Held:
    """A game from its deal and words: how states are pickled."""
    held = _Held(variant, deals, prefix)
    if number >= 0:
        held.deal(number)
        for word in words:
            held.hear(held.game.apply(word))
    return held


class CrapetteState(_State):
    """A game of turns as it stands."""

    def current_player(self) -> int:
        """The seat to move, chance before the deal, or the end."""
        if self.held.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.held.game.finished else int(self.held.game.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.held.game.core.legal())

    def _apply_action(self, action: int) -> None:
        if self.held.game is None:
            self.held.deal(action)
        else:
            self.held.apply(str(texts(SEATS, self.held.game.turn)[action]))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else str(texts(SEATS, player)[action])

    def observe(self, player: int) -> bytes:
        """The observation of a seat."""
        return encode(self.held.tracker, player) if self.held.game else bytes(layout(SEATS).size)


class VitesseState(_State):
    """A game of ticks as it stands."""

    def current_player(self) -> int:
        """Both seats, chance before the deal, or the end."""
        if self.held.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        over = self.held.game.finished
        return int(pyspiel.PlayerId.TERMINAL if over else pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return [ACTIONS.index(action) for action in self.held.game.legal(player)]

    def _apply_action(self, action: int) -> None:
        self.held.deal(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.held.apply(",".join(ACTIONS[action] for action in actions))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else ACTIONS[action]

    def observe(self, player: int) -> bytes:
        """The observation of a seat."""
        if self.held.game is None:
            return bytes(SIZE)
        return encode_tick(self.held.tracker.known(self.held.game.position.public()), player)


class Observer:
    """What a seat sees, as OpenSpiel's observers say it: `tensor`, `dict` and a string."""

    def __init__(self, size: int, *, recall: bool) -> None:
        self._recall = recall
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CrapetteState | VitesseState, player: int) -> None:
        """Write the tensor."""
        self.tensor[:] = np.frombuffer(state.observe(player), np.uint8)

    def string_from(self, state: CrapetteState | VitesseState, player: int) -> str:
        """The position with every card that was seen, or with perfect recall the whole public history."""
        held = state.held
        if self._recall or held.game is None:
            return f"seat {player}\n{held.history()}"
        return f"seat {player}\n{held.tracker.known(held.game.position.public())}"


pyspiel.register_game(TURNS, CrapetteGame)
pyspiel.register_game(TICKS, VitesseGame)
