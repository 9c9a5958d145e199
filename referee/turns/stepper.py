"""The game as the loop sees it while bots answer quickly: takes an answer, gives the next legal moves.

It writes no events. `table.Table` makes them afterwards, many in a row. That costs half as much as making
each between two answers, right after the processor has run another program.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine.turns import moves as notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.turns.core import Core

_REMEMBERED: Final = 4096
"""How many sets of legal moves are cached as text, for each seat."""
_NO_MOVE: Final = [-1]


class NotLegal(Exception):
    """The ``move`` of an answer is illegal; the moves before it were ``carried_out``."""

    def __init__(self, move: str, carried_out: list[int]) -> None:
        super().__init__(move)
        self.move = move
        self.carried_out = carried_out


class Stepper:
    """A game in progress on a core of its own.

    ``turn``, ``ply`` and ``finished`` are current after every answer. So is ``lone``: for every move the seat
    to move could ever make, a list with just its number.
    """

    __slots__ = ("_name", "_texts", "core", "finished", "lone", "players", "ply", "turn")

    def __init__(self, core: Core) -> None:
        self.core = core.clone()
        self.players: int = core.players
        self.ply = 0
        self._look()

    def advance(self, moves: Sequence[str]) -> list[int]:
        """Make moves until one turns up a card or ends the turn; return their numbers.

        Raises NotLegal at the first illegal one.
        """
        core = self.core
        numbers = self.lone.get(moves[0], _NO_MOVE) if len(moves) == 1 else self._numbers(moves)
        count: int = core.advance(numbers)
        if count < 0:
            self.ply += ~count
            raise NotLegal(moves[~count], numbers[:~count])
        self.ply += count
        if core.turn != self.turn or core.over:
            self._look()
        return numbers if count == len(numbers) else numbers[:count]

    def reachable(self, moves: Sequence[str]) -> Sequence[str]:
        """Return the moves of an answer that `advance` would look at, without making them."""
        count: int = self.core.clone().advance(self._numbers(moves))
        return moves[: count if count >= 0 else -count]

    def stop(self) -> None:
        """The opponent calls stop (RULES 6)."""
        self.core.stop()
        self._look()

    def legal_text(self) -> str:
        """The legal moves as a JSON list, sorted."""
        legal = self.core.legal()
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
        """Update what does not change with every move."""
        core = self.core
        self.turn: int = core.turn
        self.finished = bool(core.over)
        self.lone = _lone(self.players, self.turn)
        self._name = _namer(self.players, self.turn)
        self._texts = _texts(self.players, self.turn)


@cache
def _texts(players: int, turn: int) -> dict[tuple[int, ...], str]:
    """Return the cached texts of a seat's legal moves, which are kept from game to game."""
    return {}


@cache
def _lone(players: int, turn: int) -> dict[str, list[int]]:
    """Return, for every move of a seat, a list with just its number in the core."""
    return {text: [number] for text, number in notes.numbers(players, turn).items()}


@cache
def _namer(players: int, turn: int) -> Callable[[int], str]:
    """Return a function from the number of a seat's move to its text."""
    return {number: text for text, number in notes.numbers(players, turn).items()}.__getitem__
