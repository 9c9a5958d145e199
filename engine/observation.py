"""What a seat sees: the public line and the public events, never a hidden card (RULES 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.events import Event
    from engine.position import Position


@dataclass(frozen=True, slots=True)
class Observation:
    """The game as one seat knows it.

    All seats see the same; the seat only says who is looking. What was once seen may be remembered from
    `events` (`tracker.Tracker` does).
    """

    seat: int
    start: Position
    """The public position that the game began with."""
    position: Position
    """The public position now."""
    events: tuple[Event, ...]
    """Everything that happened in between."""

    @property
    def is_mine(self) -> bool:
        """Whether the seat is to move."""
        return self.position.turn == self.seat
