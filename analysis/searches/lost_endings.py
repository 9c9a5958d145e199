"""Wins thrown away in endings that can be solved, because every card is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.turns.search import Ending, ending

if TYPE_CHECKING:
    from analysis.values.public_game import Table
    from engine.turns.core import Core

POSITIONS: Final = 100_000
"""Looked at for each ending at most: 25 ms."""
IN_ALL: Final = 4_000_000
"""And for a whole game, so that none takes much longer than one second."""


class Lost(NamedTuple):
    """What a stretch between two solved positions cost its seat in points of a game, and a line that wins."""

    cost: float
    moves: tuple[int, ...]


class Solved:
    """The solved endings of one game: each position is solved once, though it ends one stretch and begins
    the next."""

    def __init__(self) -> None:
        self._known: dict[int, Ending | None] = {}
        self._left = IN_ALL

    def find_loss(self, before: Table, after: Table) -> Lost | None:
        """What a stretch cost that led from one position to another; None if one of them is not solved.

        A seat that throws a draw away is not told what to play instead, so that is not counted.
        """
        if any(before.unseen(seat) for seat in (0, 1)):
            return None
        seat = before.core.turn
        first = self._ending(before.core)
        if first is None:
            return None
        result = self._result(after.core)
        if result is None or (first.result == 0 and result):
            return None
        end = result * (1 - 2 * seat)
        return Lost(max(0, first.result - end) / 2, first.moves)

    def _result(self, core: Core) -> int | None:
        """1 if seat 0 wins, -1 if seat 1 does, 0 if neither can; None if that is not known."""
        if core.over:
            return core.worth()[0]
        found = self._ending(core)
        return None if found is None else found.result * (1 - 2 * core.turn)

    def _ending(self, core: Core) -> Ending | None:
        """The position solved, as long as there is time."""
        key = core.hash()
        if key not in self._known:
            if self._left <= 0:
                return None
            self._left -= POSITIONS
            found = self._known[key] = ending(core, POSITIONS)
            if found is not None:
                self._left += POSITIONS - found.positions
        return self._known[key]
