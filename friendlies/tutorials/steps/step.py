"""One step of a tutorial: a position, what to see in it, and the moves that are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine import VARIANTS

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

THEIRS: Final = "> "
"""What a ply of the opponent begins with, in a game of turns."""
TICK: Final = ","
"""What stands between both actions of a tick."""


@dataclass(frozen=True, slots=True)
class TutorialStep:
    """The learner sits below, in seat 0.

    ``houses`` to ``theirs`` are fields of a position (RULES 1), without what differs between the variants
    that share a step. In the game in ticks ``houses`` is empty, and a seat's piles are those of RULES 7.

    ``plies`` is what is played: each is the right moves, of which the first possible one is the hint.
    A ply ``> move`` is the opponent's. In the game in ticks a ply is the right actions, a comma, and what the
    opponent does: ``s1-f,turn``. ``learnt`` is said at the end.
    """

    key: str
    title: _StrPromise
    words: _StrPromise
    learnt: _StrPromise
    houses: str
    foundations: str
    mine: str
    theirs: str
    plies: tuple[str, ...]
    phase: str = "play"
    tick: int = 0
    turn: int = 0

    def start(self, variant: str) -> str:
        """The position of the step, as the line of a variant."""
        rules = VARIANTS[variant]
        seats = [self.mine, self.theirs]
        if rules.in_ticks:
            return " ".join((variant, str(self.tick), self.foundations, *seats, "0", "0,0/."))
        if not rules.has_reserve:
            seats = [f"./{seat.partition('/')[2]}" for seat in seats]
        emptied = [str(seat) for seat, piles in enumerate(seats) if rules.has_reserve and piles[0] == "."]
        return " ".join(
            (
                *(variant, str(self.turn), self.phase, "-", self.houses, self.foundations, *seats),
                "0,0,0,.,.",
                f"0,0/{''.join(emptied) or '.'}/.",
            )
        )
