"""The game as the loop sees it while bots answer at once: an answer in, the legal moves after it out.

Nothing is written here. The events of what was played are made afterwards by `table.Table`, many in a row,
which costs half of making each between two answers, when the processor has just run another program.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine import moves as notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.core import Core

_REMEMBERED: Final = 4096
"""Sets of legal moves whose texts are kept, for each seat."""
_NO_MOVE: Final = [-1]


class NotLegal(Exception):
    """The ``move`` of an answer cannot be made; those before it were ``carried_out``."""

    def __init__(self, move: str, carried_out: list[int]) -> None:
        super().__init__(move)
        self.move = move
        self.carried_out = carried_out


class Stepper:
    """A game in progress on a core of its own. ``turn``, ``ply`` and ``finished`` are kept after every
    answer, as ``lone``: the number in a list of its own of every move that the seat to move may ever make."""

    __slots__ = ("_core", "_name", "_texts", "finished", "lone", "players", "ply", "turn")

    def __init__(self, core: Core) -> None:
        self._core = core.clone()
        self.players: int = core.players
        self.ply = 0
        self._look()

    def advance(self, moves: Sequence[str]) -> list[int]:
        """Carry out moves up to the first that turns up a card or ends the turn; return their numbers.

        Raises NotLegal for the first that is not legal, if it comes to that.
        """
        core = self._core
        numbers = self.lone.get(moves[0], _NO_MOVE) if len(moves) == 1 else self._numbers(moves)
        count: int = core.advance(numbers)
        if count < 0:
            self.ply += ~count
            raise NotLegal(moves[~count], numbers[:~count])
        self.ply += count
        if core.turn != self.turn or core.over:
            self._look()
        return numbers if count == len(numbers) else numbers[:count]

    def reached(self, moves: Sequence[str]) -> Sequence[str]:
        """Return the moves of an answer that `advance` would look at, without carrying any out."""
        count: int = self._core.clone().advance(self._numbers(moves))
        return moves[: count if count >= 0 else -count]

    def stop(self) -> None:
        """The opponent calls stop (RULES 6)."""
        self._core.stop()
        self._look()

    def legal_text(self) -> str:
        """The legal moves as a JSON list, sorted."""
        legal = self._core.legal()
        text = self._texts.get(legal)
        if text is None:
            moves = '","'.join(sorted(map(self._name, legal)))
            if len(self._texts) >= _REMEMBERED:
                self._texts.clear()
            text = self._texts[legal] = f'["{moves}"]'
        return text

    def _numbers(self, moves: Sequence[str]) -> list[int]:
        known = notes.numbers(self.players, self.turn)
        return [known.get(move, -1) for move in moves]

    def _look(self) -> None:
        """Take in what does not change with every move."""
        core = self._core
        self.turn: int = core.turn
        self.finished = bool(core.over)
        self.lone = _lone(self.players, self.turn)
        self._name = _namer(self.players, self.turn)
        self._texts = _texts(self.players, self.turn)


@cache
def _texts(players: int, turn: int) -> dict[tuple[int, ...], str]:
    """Return what is remembered of a seat's legal moves, kept from game to game."""
    return {}


@cache
def _lone(players: int, turn: int) -> dict[str, list[int]]:
    """Return the core's number of every move of a seat, in a list of its own."""
    return {text: [number] for text, number in notes.numbers(players, turn).items()}


@cache
def _namer(players: int, turn: int) -> Callable[[int], str]:
    """Return what tells the text of a seat's move by its number."""
    return {number: text for text, number in notes.numbers(players, turn).items()}.__getitem__
