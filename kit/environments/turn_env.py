"""A game of turns as a PettingZoo environment in which one agent acts at a time (AEC)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from engine.turns.conversion import to_position
from engine.turns.diagram import board
from engine.turns.layout import layout
from engine.turns.moves import texts
from engine.variants import variant as variant_of
from kit.environments.batches import batch, deal_number

Observation = dict[str, np.ndarray[Any, Any]]


class TurnEnv(AECEnv[str, Observation, int]):  # type: ignore[misc] # without types of its own
    """One game; agents ``seat_0`` and so on, any of which may act several times in a row.

    An observation is ``{"observation": uint8 array, "action_mask": int8 array}``: `layout` says what is in
    the array, and the mask has 1 for each legal action of the agent whose turn it is. Actions are the core's
    numbers of moves; `text_of` writes one out. Rewards come at the end, from 1 for the first seat to -1 for
    the last; `infos` then say how the game ended. Whoever may call stop at an irregular move does (RULES 6).

    ``reset(seed=k)`` deals ``engine.deal(variant, f"{prefix}{k}", players)``; without a seed the next one.

    >>> env = TurnEnv("crapaud")
    >>> env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation["observation"].shape, env.text_of(observation["action_mask"].nonzero()[0][-1])
    ((474,), 'draw')
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "crapette_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        variant: str = "crapaud",
        players: int = 2,
        *,
        prefix: str = "",
        everything: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """A game of turns; `reset` deals it.

        Args:
            prefix: what the text of each deal's seed begins with.
            everything: whether observations show hidden cards.
            render_mode: ``ansi`` for `render` to answer the table as text.

        Raises:
            EngineError: not a variant of turns, a wrong number of players, or a prefix of more than 40 bytes.
        """
        super().__init__()
        self.variant, self.players, self.render_mode = variant, players, render_mode
        self._prefix, self._everything, self._deal = prefix, everything, -1
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        size, actions = layout(players).size, 448 if players > 2 else 128
        self._actions, self._legal = np.zeros(1, np.int16), np.zeros(actions, np.uint8)
        self._acting, self._ended = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
        self._rewards = np.zeros(players, np.float32)
        self._start(0)
        self._space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self._choices = spaces.Discrete(actions)

    def _start(self, deal: int) -> None:
        """Deal."""
        self._batch = batch(
            self.variant,
            self.players,
            1,
            (
                *(self._actions, self._legal, None, None, None, self._acting),
                *(self._rewards, None, self._ended, None),
            ),
            prefix=self._prefix,
            first=deal,
            everything=self._everything,
            again=False,
        )
        self._batch.reset()

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an observation may be."""
        return self._space

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an action may be."""
        return self._choices

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal number `seed`, or the one after the last.

        Raises:
            ValueError: not the number of a deal.
        """
        self._deal = self._deal + 1 if seed is None else deal_number(seed)
        self._start(self._deal)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[int(self._acting[0])]

    def observe(self, agent: str) -> Observation:
        """What an agent may know, and what it may do if it is its turn."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._legal.shape, np.int8)
        if seat == self._acting[0] and not self._ended[0]:
            mask[:] = self._legal
        seen = np.frombuffer(self._batch.observation(0, seat), np.uint8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move for the agent whose turn it is.

        Raises:
            ValueError: it is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self._choices.contains(action) or not self._legal[action]:
            legal = self._legal.nonzero()[0].tolist()
            raise ValueError(f"expected one of {legal} from {agent}, got {action!r}")
        self._cumulative_rewards[agent] = 0.0
        self._actions[0] = action
        self._batch.step()
        self._clear_rewards()
        if self._ended[0]:
            for seat, each in enumerate(self.agents):
                self.rewards[each] = float(self._rewards[seat])
                self.terminations[each] = True
                self.infos[each] = {"ending": ("", "win", "stall", "passes")[self._ended[0]]}
        self.agent_selection = self.possible_agents[int(self._acting[0])]
        self._accumulate_rewards()

    def text_of(self, action: int) -> str:
        """An action of the agent whose turn it is as RULES 1 writes moves.

        Raises:
            ValueError: no move has that number.
        """
        words = texts(self.players, int(self._acting[0]))
        if not 0 <= action < len(words) or words[action] is None:
            raise ValueError(f"expected the number of a move, got {action}")
        return str(words[action])

    def render(self) -> str | None:
        """The table as text, every card shown, if `render_mode` is ``ansi``."""
        if self.render_mode != "ansi":
            return None
        return board(to_position(variant_of(self.variant), self._batch.core(0), frozenset()))

    def close(self) -> None:
        """Nothing is held."""
