"""The endings of one game, solved where every card is known, and what follows for the turns between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.turns.search import Ending, ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.turns.core import Core

POSITIONS: Final = 100_000
"""Looked at for each ending at most: 25 ms."""
IN_ALL: Final = 4_000_000
"""And for a whole game, so that none takes much longer than one second."""


class SolvedEndings:
    """The solved endings of one game: each position is solved once, though it ends one turn and begins the
    next."""

    def __init__(self) -> None:
        self._found: dict[int, Ending | None] = {}
        self._left = IN_ALL

    def result(self, core: Core) -> int | None:
        """1 if seat 0 wins, -1 if seat 1 does, 0 if neither can force it; None if that is not known."""
        if core.over:
            return core.worth()[0]
        found = self._solve(core)
        return None if found is None else found.result * (1 - 2 * core.turn)

    def winning_line(self, core: Core) -> tuple[int, ...]:
        """Moves up to the end of the turn after which the seat to move still wins; none if it does not."""
        found = None if core.over else self._solve(core)
        return () if found is None else found.moves

    def _solve(self, core: Core) -> Ending | None:
        """The position solved, as long as there is time."""
        key = core.hash()
        if key not in self._found:
            if self._left <= 0:
                return None
            self._left -= POSITIONS
            found = self._found[key] = ending(core, POSITIONS)
            if found is not None:
                self._left += POSITIONS - found.positions
        return self._found[key]


def carry(results: Sequence[int | None], seats: Sequence[int]) -> list[int | None]:
    """The results of turns in which every card is known, with those between two solved ones filled in.

    `results` are those of the positions before each turn, and of the one after the last (n + 1), for seat 0;
    `seats` say who moved in each turn (n). A decided ending keeps its result until somebody throws it away.
    If that was done in turns that are not solved, it was the last of the seat that lost by it.
    """
    found = list(results)
    for place in range(1, len(found)):
        if found[place] is None:
            found[place] = found[place - 1]
    for place in range(len(seats), 0, -1):
        after, before = found[place], found[place - 1]
        if after is None or before is None or (after - before) * (1 - 2 * seats[place - 1]) <= 0:
            continue
        # The mover would have gained by its own turn: the other threw it away in an earlier one. If that
        # one is solved too, the rules' limits (RULES 3) made the difference, and what came of it stands.
        found[place - 1] = after
    return found
