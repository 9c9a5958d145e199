"""A game of turns as a Gymnasium environment: you play one seat, and the core plays the others."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from engine.turns.conversion import to_position
from engine.turns.diagram import board
from engine.turns.layout import layout
from engine.variants import variant as variant_of
from kit.environments.batches import HOUSE_NODES, batch, deal_number

Observation = np.ndarray[Any, Any]


class SoloEnv(gymnasium.Env[Observation, Any]):
    """One game against ``"random"``, ``"greedy"`` or ``"planner"``; a step is a move of your own seat.

    An observation is a uint8 array (`layout` says what is in it). The legal actions are
    ``info["action_mask"]``, an int8 array, and `action_masks`, as libraries with masks ask for them. The
    reward comes at the end, from 1 for the first to -1 for the last.

    ``reset(seed=k)`` deals ``engine.deal(variant, f"{prefix}{k}", players)``; without a seed the next one.

    >>> env = gymnasium.make("crapette/Solo-v0", variant="crapaud", opponent="greedy")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].shape
    ((474,), (128,))
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}  # type: ignore[misc] # theirs is one of objects

    def __init__(
        self,
        variant: str = "crapaud",
        players: int = 2,
        *,
        opponent: str = "greedy",
        seat: int = 0,
        nodes: int = HOUSE_NODES,
        prefix: str = "",
        render_mode: str | None = None,
    ) -> None:
        """A game of turns; `reset` deals it.

        Args:
            opponent: who plays all other seats.
            seat: your own.
            nodes: how many positions the planner looks at for an answer.
            prefix: what the text of each deal's seed begins with.
            render_mode: ``ansi`` for `render` to answer the table as text.

        Raises:
            EngineError: not a variant of turns, a wrong number of players, no such opponent or seat, or a
                prefix of more than 40 bytes.
        """
        self.variant, self.players, self.seat, self.render_mode = variant, players, seat, render_mode
        opponents = [None if other == seat else opponent for other in range(players)]
        size, actions = layout(players).size, 448 if players > 2 else 128
        self._actions, self._legal = np.zeros(1, np.int16), np.zeros(actions, np.uint8)
        self._rewards, self._ended = np.zeros(players, np.float32), np.zeros(1, np.uint8)
        self._batch = batch(
            variant,
            players,
            1,
            (
                *(self._actions, self._legal, None, None, None, None),
                *(self._rewards, None, self._ended, None),
            ),
            prefix=prefix,
            first=0,
            everything=False,
            again=False,
            opponents=opponents,
            nodes=nodes,
        )
        self._following = 0
        self.observation_space = spaces.Box(0, 255, (size,), np.uint8)
        self.action_space: Any = spaces.Discrete(actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal number `seed`, or the one after the last.

        Raises:
            ValueError: not the number of a deal.
        """
        deal = self._following if seed is None else deal_number(seed)
        super().reset(seed=deal)
        self._following = deal + 1
        self._batch.begin_with(deal)
        self._batch.reset()
        return self._seen(), {"action_mask": self.action_masks()}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the others move until it is your turn again.

        Raises:
            ValueError: it is not legal.
        """
        if not self.action_space.contains(action) or not self.action_masks()[int(action)]:
            legal = self.action_masks().nonzero()[0].tolist()
            raise ValueError(f"expected one of {legal}, got {action!r}")
        self._actions[0] = action
        self._batch.step()
        over = bool(self._ended[0])
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if over:
            info["ending"] = ("", "win", "stall", "passes")[self._ended[0]]
        return self._seen(), float(self._rewards[self.seat]), over, False, info

    def action_masks(self) -> np.ndarray[Any, Any]:
        """1 for each legal action."""
        return np.zeros_like(self._legal, np.int8) if self._ended[0] else self._legal.astype(np.int8)

    def _seen(self) -> Observation:
        """What your seat may know."""
        return np.frombuffer(self._batch.observation(0, self.seat), np.uint8)

    def render(self) -> str | None:
        """The table as text, every card shown, if `render_mode` is ``ansi``."""
        if self.render_mode != "ansi":
            return None
        return board(to_position(variant_of(self.variant), self._batch.core(0), frozenset()))
