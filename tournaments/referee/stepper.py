"""The game as the loop sees it while bots answer at once: a move in, the legal moves after it out.

Nothing is written here. The events of what was played are made afterwards by `table.Table`, many in a row,
which costs half of making each between two answers, when the processor has just run another program.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine import IllegalMove
from engine import moves as notes
from engine.core import DISCARD, NOBODY, RESERVE

if TYPE_CHECKING:
    from engine.core import Core

_NOTHING, _ALWAYS = -1, -2
"""Whether a move turns up a card: no; yes (`draw`); else the pile that shows its next card, if it has one."""
_REMEMBERED: Final = 4096
"""Sets of legal moves whose texts are kept, for each seat."""


class Stepper:
    """A game in progress on a core of its own. ``turn``, ``ply`` and ``finished`` are kept after every move;
    ``moves`` are all that the seat to move may ever make, legal now or not."""

    __slots__ = ("_core", "_legal", "_names", "_texts", "finished", "moves", "players", "ply", "turn")

    def __init__(self, core: Core) -> None:
        self._core = core.clone()
        self.players: int = core.players
        self.ply = 0
        self.moves: dict[str, tuple[int, int]] = {}
        self._look()

    def push(self, text: str) -> bool:
        """Carry out a move; return whether it turned up a card.

        Raises IllegalMove if it is not legal, and then nothing has changed.
        """
        core = self._core
        try:
            number, shows = self.moves[text]
            self._legal = legal = core.step(number)
        except (KeyError, ValueError):
            raise IllegalMove(text) from None
        self.ply += 1
        if core.turn != self.turn or not legal:
            self._look()
        if shows == _NOTHING:
            return False
        return shows == _ALWAYS or core.top_of(shows) != NOBODY

    def stop(self) -> None:
        """The opponent calls stop (RULES 6)."""
        self._core.stop()
        self._look()

    def legal_text(self) -> str:
        """The legal moves as a JSON list, sorted."""
        text = self._texts.get(self._legal)
        if text is None:
            names = self._names
            moves = '","'.join(sorted([names[number] for number in self._legal]))
            if len(self._texts) >= _REMEMBERED:
                self._texts.clear()
            text = self._texts[self._legal] = f'["{moves}"]'
        return text

    def _look(self) -> None:
        """Take in what does not change with every move."""
        core = self._core
        self.turn: int = core.turn
        self.finished = bool(core.over)
        self._legal = core.legal()
        self.moves = _numbered(self.players, self.turn)
        self._names = notes.texts(self.players, self.turn)
        self._texts = _texts(self.players, self.turn)


@cache
def _texts(players: int, turn: int) -> dict[tuple[int, ...], str]:
    """Return what is remembered of a seat's legal moves, kept from game to game."""
    return {}


@cache
def _numbered(players: int, turn: int) -> dict[str, tuple[int, int]]:
    """Return, for every move of a seat, its number in the core and whether it turns up a card."""
    shown = {"draw": _ALWAYS, "r": RESERVE + turn, "d": DISCARD + turn}
    return {
        text: (number, shown.get(text.partition("-")[0], _NOTHING))
        for text, number in notes.numbers(players, turn).items()
    }
