"""The game in which both act at once (`vitesse`) as a PettingZoo parallel environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from engine.cards import UNKNOWN, kind
from engine.ticks import ACTIONS, TickGame, TickTracker
from kit.environments.batches import deal_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.cards import Card
    from engine.ticks.position import TickPosition, TickSeat

VARIANT = "vitesse"
RESERVE_DEPTH, PILE_DEPTH = 13, 52
"""How many cards of a reserve, and of a discard or hand, an observation has."""
UNSEEN = 53
"""Stands for a card that nobody has seen; other cards are their kind plus 1, and 0 is none."""
A_SEAT = 4 + RESERVE_DEPTH + 2 * PILE_DEPTH + 3 + 1
SIZE = 8 + 2 * A_SEAT + 2
"""The bytes of an observation."""

Observation = dict[str, np.ndarray[Any, Any]]


class TickEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc] # without types of its own
    """One game of ``vitesse``; agents ``seat_0`` and ``seat_1`` act in every tick.

    An observation is ``{"observation": uint8 array of 354, "action_mask": int8 array of 9}``. In the array a
    card is its kind plus 1, 0 where there is none, 53 for one that nobody has seen:

    - 8 heights of the foundations: spades, hearts, diamonds, clubs, the higher first;
    - for the seat that looks, then for the other: 4 slots; 13 cards of the reserve, 52 of the discard and 52
      of the hand, each from the top down; how many cards those three have; the foundations it completed;
    - the ticks since a card was played (it ends at 200), and the tick's number modulo 256.

    Actions are ``engine.ticks.ACTIONS``. Rewards come at the end: 1 for more points, -1 for fewer, else 0.
    ``reset(seed=k)`` deals ``engine.deal("vitesse", f"{prefix}{k}")``; without a seed the next one.

    >>> env = TickEnv()
    >>> observations, infos = env.reset(seed=0)
    >>> observations["seat_0"]["observation"].shape
    (354,)
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "crapette_vitesse_v0", "render_modes": ["ansi"]}

    def __init__(self, *, prefix: str = "", render_mode: str | None = None) -> None:
        """A game; `reset` deals it. `prefix` is what the text of each deal's seed begins with."""
        self.render_mode = render_mode
        self._prefix, self._deal = prefix, -1
        self.possible_agents = ["seat_0", "seat_1"]
        self.agents: list[str] = []
        self._space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (SIZE,), np.uint8),
                "action_mask": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
            }
        )
        self._choices = spaces.Discrete(len(ACTIONS))

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an observation may be."""
        return self._space

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an action may be."""
        return self._choices

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal number `seed`, or the one after the last.

        Raises:
            ValueError: not the number of a deal.
        """
        self._deal = self._deal + 1 if seed is None else deal_number(seed)
        self._game = TickGame.deal(VARIANT, f"{self._prefix}{self._deal}")
        self._tracker = TickTracker(self._game.start)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Carry a tick out.

        Raises:
            ValueError: an agent may not do that.
        """
        chosen = [ACTIONS[self._checked(seat, agent, actions)] for seat, agent in enumerate(self.agents)]
        self._tracker.see(self._game.apply(",".join(chosen)))
        agents = self.agents
        observations = self._observations()
        outcome = self._game.outcome()
        over = outcome is not None
        rewards = dict.fromkeys(agents, 0.0)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if outcome is not None:
            ahead = float(np.sign(outcome.points[0] - outcome.points[1]))
            rewards = {"seat_0": ahead, "seat_1": -ahead}
            infos = {agent: {"ending": outcome.result, "points": outcome.points} for agent in agents}
            self.agents = []
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _checked(self, seat: int, agent: str, actions: Mapping[str, int]) -> int:
        """The number of the action of an agent."""
        legal = self._game.legal(seat)
        action: Any = actions.get(agent)
        if not self._choices.contains(action) or ACTIONS[int(action)] not in legal:
            numbers = [ACTIONS.index(each) for each in legal]
            raise ValueError(f"expected one of {numbers} from {agent}, got {action!r}")
        return int(action)

    def _observations(self) -> dict[str, Observation]:
        """What both may know."""
        position = self._tracker.known(self._game.position.public())
        found = {}
        for seat, agent in enumerate(self.possible_agents):
            legal = self._game.legal(seat)
            found[agent] = {
                "observation": np.frombuffer(encode_tick(position, seat), np.uint8),
                "action_mask": np.array([action in legal for action in ACTIONS], np.int8),
            }
        return found

    def render(self) -> str | None:
        """The table as text, every card shown, if `render_mode` is ``ansi``."""
        return str(self._game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""


def encode_tick(known: TickPosition, seat: int) -> bytes:
    """An observation of a seat, from the position as `TickTracker.known` answers it."""
    seats = [_seat(*each) for each in zip(known.seats, known.completed, strict=True)]
    heights = [height for suit in known.foundations for height in suit]
    return bytes([*heights, *seats[seat], *seats[1 - seat], known.stall, known.tick % 256])


def _seat(seat: TickSeat, completed: int) -> list[int]:
    """The bytes of a seat."""
    return [
        *(_byte(card) for card in seat.slots),
        *_top_down(seat.reserve, RESERVE_DEPTH),
        *_top_down(seat.discard, PILE_DEPTH),
        *_top_down(seat.hand, PILE_DEPTH),
        len(seat.reserve),
        len(seat.discard),
        len(seat.hand),
        completed,
    ]


def _top_down(pile: Sequence[Card], depth: int) -> list[int]:
    """A pile from the top down, as long as `depth`."""
    found = [_byte(card) for card in reversed(pile[-depth:])]
    return found + [0] * (depth - len(found))


def _byte(card: Card | None) -> int:
    """What stands for a card."""
    if card is None:
        return 0
    return UNSEEN if card == UNKNOWN else kind(card) + 1
