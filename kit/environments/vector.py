"""Many games at once, in the compiled core, written straight into NumPy arrays."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.turns.conversion import to_position
from engine.turns.layout import layout
from engine.variants import variant as variant_of
from kit.environments.batches import HOUSE_NODES, batch, deal_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from engine.turns.core import Batch, Core
    from engine.turns.position import TurnPosition

TOLD: Final = (
    *("actions", "legal", "legal_bits", "observations", "final_observations", "acting"),
    *("rewards", "returns", "ended", "margins"),
)
"""The arrays, in the order in which `engine.turns.core.Batch` takes them."""


class VectorEnv:
    """`games` games of a variant side by side; each step makes a move in all of them.

    The arrays are made once and written over at each step, so copy what you want to keep. PyTorch
    (``torch.from_numpy``) and JAX (``jax.dlpack``) take them without copying. A step lets go of the
    interpreter's lock; with ``workers=4`` it uses four threads.

    When a game ends, its next deal begins at once. Deal ``k`` is
    ``engine.deal(variant, f"{prefix}{k}", players)``; game ``i`` plays deals ``seed + i``,
    ``seed + i + games`` and so on, so that the same seed and actions give the same games.

    >>> env = VectorEnv("crapaud", games=4, prefix="train/", opponents=(None, "greedy"))
    >>> env.reset(seed=0)
    >>> env.observations.shape, env.legal.shape, env.acting.shape
    ((4, 474), (4, 128), (4,))
    >>> env.step(env.legal.argmax(axis=1))
    >>> env.rewards.shape, int(env.ended.sum()), env.acting.tolist()
    ((4, 2), 0, [0, 0, 0, 0])
    """

    def __init__(
        self,
        variant: str,
        players: int = 2,
        *,
        games: int,
        prefix: str = "",
        opponents: Sequence[str | None] = (),
        nodes: int = HOUSE_NODES,
        workers: int = 1,
        everything: bool = False,
        observe: bool = True,
    ) -> None:
        """Games of turns, none dealt yet: `reset` first.

        Args:
            prefix: what the text of each deal's seed begins with.
            opponents: for each seat ``"random"``, ``"greedy"`` or ``"planner"``, who then play it inside the
                core, or None for you. Without, you play all seats.
            nodes: how many positions the planner looks at for an answer, 1 to 512.
            workers: how many threads share a step. They change no game.
            everything: whether observations show hidden cards, as a critic or a teacher may see them.
            observe: whether observations are written at all; without them a step takes half the time.

        Raises:
            EngineError: not a variant of turns, a wrong number of players, a prefix of more than 40 bytes, or
                no such opponents.
            ValueError: not one game or one worker at least, or not so many nodes.
        """
        if games < 1 or workers < 1:
            raise ValueError(f"expected one game and one worker at least, got {games} and {workers}")
        self._made_of: dict[str, Any] = {
            "variant": variant,
            "players": players,
            "games": games,
            "prefix": prefix,
            "opponents": opponents,
            "nodes": nodes,
            "workers": workers,
            "everything": everything,
            "observe": observe,
        }
        self.variant, self.players, self.games = variant, players, games
        self.layout = layout(players)
        width, seen = 448 if players > 2 else 128, games if observe else 0
        self.actions: npt.NDArray[np.int16] = np.zeros(games, np.int16)
        """The moves to make at the next step, numbers below `legal`'s width."""
        self.legal: npt.NDArray[np.bool_] = np.zeros((games, width), np.bool_)
        """Which moves the seat to move may make."""
        self.legal_bits: npt.NDArray[np.uint64] = np.zeros((games, width // 64), np.uint64)
        """The same in bits: move ``m`` is bit ``m % 64`` of word ``m // 64``."""
        self.observations: npt.NDArray[np.uint8] = np.zeros((seen, self.layout.size), np.uint8)
        """What the seat to move may know (`layout`)."""
        self.final_observations: npt.NDArray[np.uint8] = np.zeros((seen, players, self.layout.size), np.uint8)
        """What each seat knew when the game that ended last here was over."""
        self.acting: npt.NDArray[np.uint8] = np.zeros(games, np.uint8)
        """The seat to move."""
        self.rewards: npt.NDArray[np.float32] = np.zeros((games, players), np.float32)
        """0, and for each seat from 1 (first) to -1 (last) when a game has just ended."""
        self.returns: npt.NDArray[np.float32] = np.zeros((games, players), np.float32)
        """The rewards of the game that ended last here, 0 before the first end."""
        self.ended: npt.NDArray[np.uint8] = np.zeros(games, np.uint8)
        """0, or why a game has just ended: 1 a win, 2 a stall, 3 all passed (RULES 3)."""
        self.margins: npt.NDArray[np.int16] = np.zeros(games, np.int16)
        """How much seat 0 of two was ahead in a game that has just ended."""
        self._following = 0
        shares = min(workers, games)
        self._bounds = [games * number // shares for number in range(shares + 1)]
        self._batches = [
            self._batch(first, last) for first, last in zip(self._bounds, self._bounds[1:], strict=False)
        ]
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0

    def _batch(self, first: int, last: int) -> Batch:
        """The games from `first` to `last`, which write to their part of the arrays."""
        made = self._made_of
        buffers = [getattr(self, name)[first:last] for name in TOLD]
        return batch(
            self.variant,
            self.players,
            last - first,
            [each if each.size else None for each in buffers],
            prefix=made["prefix"],
            first=first,
            everything=made["everything"],
            again=True,
            stride=self.games,
            opponents=made["opponents"],
            nodes=made["nodes"],
        )

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of, the arrays, and how the games stand."""
        arrays = {name: getattr(self, name).copy() for name in TOLD}
        standing = [each.standing() for each in self._batches]
        return {"made": self._made_of, "arrays": arrays, "standing": standing, "following": self._following}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Be another that goes on the same."""
        self.__init__(**state["made"])  # type: ignore[misc] # as copy and pickle make objects
        for name, array in state["arrays"].items():
            getattr(self, name)[...] = array
        for each, standing in zip(self._batches, state["standing"], strict=True):
            each.restore(standing)
        self._following = state["following"]

    def reset(self, seed: int | None = None) -> None:
        """Begin game ``i`` with deal number ``seed + i``; without a seed with the deals after the last.

        Raises:
            ValueError: not the number of a deal.
        """
        first = self._following if seed is None else deal_number(seed)
        for each, begin in zip(self._batches, self._bounds, strict=False):
            each.begin_with(first + begin)
        self._in_all([each.reset for each in self._batches])
        self._following = first + self.games

    def step(self, actions: npt.ArrayLike | None = None) -> None:
        """Make a move in every game, and write the arrays.

        Args:
            actions: a whole number for each game; without, those in `self.actions`.

        Raises:
            ValueError: one is not legal, or not one for each game; then no game has moved.
        """
        if actions is not None:
            self.actions[:] = self._checked(np.asarray(actions))
        if len(self._batches) > 1:
            self._check_legal()
        self._in_all([each.step for each in self._batches])

    def _checked(self, given: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
        """The actions as the core takes them. Raises ValueError: some cannot be actions."""
        if given.shape != self.actions.shape:
            raise ValueError(f"expected {self.games} actions, got an array of shape {given.shape}")
        if given.dtype.kind not in "iu":
            raise ValueError(f"expected whole numbers as actions, got an array of {given.dtype}")
        taken = given.astype(np.int16)
        if (taken != given).any():
            game = int((taken != given).argmax())
            width = self.legal.shape[1]
            raise ValueError(f"expected actions from 0 to {width - 1}, got {given[game]} in game {game}")
        return taken

    def _check_legal(self) -> None:
        """Raise ValueError unless all may be made, before any thread makes one."""
        width = self.legal.shape[1]
        inside = (self.actions >= 0) & (self.actions < width)
        legal = inside & self.legal[np.arange(self.games), np.where(inside, self.actions, 0)]
        if not legal.all():
            game = int(legal.argmin())
            expected = tuple(self.legal[game].nonzero()[0].tolist())
            raise ValueError(f"expected one of {expected} in game {game}, got {self.actions[game]}")

    def play(self, plies: int, seed: int = 0) -> None:
        """Make `plies` uniformly random moves in every game, in one call."""
        plays = [
            (lambda each=each, begin=begin: each.play(plies, seed, begin))
            for each, begin in zip(self._batches, self._bounds, strict=False)
        ]
        self._in_all(plays)

    def _in_all(self, calls: Sequence[Callable[[], None]]) -> None:
        """Make the calls, each in a thread of its own, and wait for them."""
        first, *others = calls
        if not others:
            first()
            return
        if self._pool is None or self._pool_of != os.getpid():  # threads do not survive a fork
            self._pool, self._pool_of = ThreadPoolExecutor(len(others), "VectorEnv"), os.getpid()
        waiting = [self._pool.submit(each) for each in others]
        first()
        for each in waiting:
            each.result()

    def deal_of(self, game: int) -> int:
        """The number of the deal that a game plays."""
        each, index = self._at(game)
        return int(each.deal_of(index))

    def core(self, game: int) -> Core:
        """A copy of a game in the core, with every card where it truly lies: to search from."""
        each, index = self._at(game)
        return each.core(index)

    def position(self, game: int) -> TurnPosition:
        """A game as a position, with every card where it truly lies: to print, or to play on in."""
        return to_position(variant_of(self.variant), self.core(game), frozenset())

    def _at(self, game: int) -> tuple[Batch, int]:
        """The batch that has a game, and its number there. Raises ValueError: there is no such game."""
        if not 0 <= game < self.games:
            raise ValueError(f"expected a game from 0 to {self.games - 1}, got {game}")
        number = next(number for number, bound in enumerate(self._bounds[1:]) if game < bound)
        return self._batches[number], game - self._bounds[number]
