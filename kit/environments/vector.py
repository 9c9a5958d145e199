"""Many games at once, in the compiled core, written straight into NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.turns.conversion import to_position
from engine.turns.layout import layout
from engine.variants import variant as variant_of
from kit.environments.batches import batch

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.turns.core import Core
    from engine.turns.position import TurnPosition


class VectorEnv:
    """`games` games of a variant side by side; each step makes a move in all of them.

    The arrays are made once and written over at each step, so copy what you want to keep. PyTorch
    (``torch.from_numpy``) and JAX (``jax.dlpack``) take them without copying. A step lets go of the
    interpreter's lock: two environments in two threads use two cores.

    When a game ends, its next deal begins at once. Deal ``k`` is
    ``engine.deal(variant, f"{seed}{k}", players)``; game ``i`` plays deals ``first + i``,
    ``first + i + games`` and so on, so that the same seed and actions give the same games.

    >>> env = VectorEnv("crapaud", games=4, seed="train/")
    >>> env.reset()
    >>> env.observations.shape, env.legal.shape, env.acting.shape
    ((4, 474), (4, 128), (4,))
    >>> env.step(env.legal.argmax(axis=1))
    >>> env.rewards.shape, int(env.ended.sum())
    ((4, 2), 0)
    """

    def __init__(
        self,
        variant: str,
        players: int = 2,
        *,
        games: int,
        seed: str = "",
        first: int = 0,
        everything: bool = False,
        observe: bool = True,
    ) -> None:
        """Games of turns, none dealt yet: `reset` first.

        Args:
            everything: whether observations show hidden cards, as a critic or a teacher may see them.
            observe: whether observations are written at all; without them a step takes half the time.

        Raises:
            EngineError: not a variant of turns, a wrong number of players, or a seed of more than 40 bytes.
            ValueError: not one game at least.
        """
        self.variant, self.players, self.games = variant, players, games
        self.layout = layout(players)
        width = 448 if players > 2 else 128
        self.actions: npt.NDArray[np.int16] = np.zeros(games, np.int16)
        """The moves to make at the next step, numbers below `legal`'s width."""
        self.legal: npt.NDArray[np.bool_] = np.zeros((games, width), np.bool_)
        """Which moves the seat to move may make."""
        self.observations: npt.NDArray[np.uint8] = np.zeros(
            (games if observe else 0, self.layout.size), np.uint8
        )
        """What the seat to move may know (`layout`)."""
        self.acting: npt.NDArray[np.uint8] = np.zeros(games, np.uint8)
        """The seat to move."""
        self.rewards: npt.NDArray[np.float32] = np.zeros((games, players), np.float32)
        """0, and for each seat from 1 (first) to -1 (last) when a game has just ended."""
        self.ended: npt.NDArray[np.uint8] = np.zeros(games, np.uint8)
        """0, or why a game has just ended: 1 a win, 2 a stall, 3 all passed (RULES 3)."""
        self.margins: npt.NDArray[np.int16] = np.zeros(games, np.int16)
        """How much seat 0 of two was ahead in a game that has just ended."""
        self._batch = batch(
            variant,
            players,
            games,
            (
                self.actions,
                self.legal.view(np.uint8),
                self.observations if observe else None,
                self.acting,
                self.rewards,
                self.ended,
                self.margins,
            ),
            seed=seed,
            first=first,
            everything=everything,
            again=True,
        )

    def reset(self) -> None:
        """Start every game again, from the first deal on."""
        self._batch.reset()

    def step(self, actions: npt.ArrayLike | None = None) -> None:
        """Make a move in every game, and write the arrays.

        Args:
            actions: one number for each game; without, those in `self.actions`.

        Raises:
            ValueError: one is not legal, or not one for each game; then no game has moved.
        """
        if actions is not None:
            given = np.asarray(actions)
            if given.shape != self.actions.shape:
                raise ValueError(f"expected {self.games} actions, got an array of shape {given.shape}")
            self.actions[:] = given
        self._batch.step()

    def play(self, plies: int, seed: int = 0) -> None:
        """Make `plies` uniformly random moves in every game, in one call."""
        self._batch.play(plies, seed)

    def deal_of(self, game: int) -> int:
        """The number of the deal that a game plays."""
        return int(self._batch.deal_of(game))

    def core(self, game: int) -> Core:
        """A copy of a game in the core, with every card where it truly lies: to search from."""
        return self._batch.core(game)

    def position(self, game: int) -> TurnPosition:
        """A game as a position, with every card where it truly lies: to print, or to play on in."""
        return to_position(variant_of(self.variant), self._batch.core(game), frozenset())
