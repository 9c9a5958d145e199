"""The game as the loop sees it while bots answer quickly: takes an answer, gives the next legal moves.

It writes no events. `fast_game.RefereeTable` makes them afterwards, many in a row. That costs half as much as
making each between two answers, right after the processor has run another program.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import cython

from engine.turns import moves as notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.turns.core import Core

_NO_MOVE: Final = [-1]


class NotLegal(Exception):
    """The ``move`` of an answer is illegal; the moves before it were ``carried_out``."""

    def __init__(self, move: str, carried_out: list[int]) -> None:
        super().__init__(move)
        self.move = move
        self.carried_out = carried_out


@cython.cclass
class Stepper:
    """A game in progress on a core of its own.

    ``turn``, ``ply`` and ``finished`` are current after every answer. So is ``lone``: for every move the seat
    to move could ever make, a list with just its number; ``lone_answers`` the same by how an answer with just
    that move ends as the SDK writes it, and ``numbers`` just the numbers.
    """

    core = cython.declare(object, visibility="readonly")
    players = cython.declare(cython.int, visibility="readonly")
    turn = cython.declare(cython.int, visibility="readonly")
    ply = cython.declare(cython.int, visibility="readonly")
    finished = cython.declare(cython.bint, visibility="readonly")
    lone = cython.declare(dict, visibility="readonly")
    lone_answers: dict[bytes, list[int]]
    numbers: dict[str, int]
    _book: bytes
    _letters: bytes
    _variant: str

    def __init__(self, core: Core, variant: str, letters: bytes) -> None:
        """``letters`` are the two of each kind of card."""
        self.core = core.clone()
        self.players = core.players
        self.ply = 0
        self._variant = variant
        self._letters = letters
        self.look()

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
            self.look()
        return numbers if count == len(numbers) else numbers[:count]

    def reachable(self, moves: Sequence[str]) -> Sequence[str]:
        """Return the moves of an answer that `advance` would look at, without making them."""
        count: int = self.core.clone().advance(self._numbers(moves))
        return moves[: count if count >= 0 else -count]

    def stop(self) -> None:
        """The opponent calls stop (RULES 6)."""
        self.core.stop()
        self.look()

    def legal_text(self) -> str:
        """The legal moves as a JSON list, sorted."""
        text: str = self.core.legal_text(self._book)
        return text

    def public_line(self) -> str:
        """The position as every seat may see it: ``str(position.public())`` (RULES 1)."""
        line: str = self.core.public_text(self._variant, self._letters)
        return line

    def _numbers(self, moves: Sequence[str]) -> list[int]:
        known = self.numbers
        return [known.get(move, -1) for move in moves]

    def look(self) -> None:
        """Update what does not change with every move."""
        core = self.core
        self.turn = core.turn
        self.finished = bool(core.over)
        self.numbers = notes.numbers(self.players, self.turn)
        self.lone = _lone(self.players, self.turn)
        self.lone_answers = _lone_answers(self.players, self.turn)
        self._book = _book(self.players, self.turn)


@cache
def _lone(players: int, turn: int) -> dict[str, list[int]]:
    """Return, for every move of a seat, a list with just its number in the core."""
    return {text: [number] for text, number in notes.numbers(players, turn).items()}


@cache
def _lone_answers(players: int, turn: int) -> dict[bytes, list[int]]:
    """Return `_lone` by what follows the id in the SDK's answer of just that move."""
    return {b',"moves":["%b"]}' % text.encode(): numbers for text, numbers in _lone(players, turn).items()}


@cache
def _book(players: int, turn: int) -> bytes:
    """Return every move of a seat by its text, sorted, as `Core.legal_text` takes them."""
    return b"".join(
        number.to_bytes(2, "big") + bytes([len(text)]) + text.encode().ljust(7)
        for text, number in sorted(notes.numbers(players, turn).items())
    )
