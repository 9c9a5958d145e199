"""What a seat sees: the public line and the public events, never a hidden card (RULES 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Observation:
    """The game as one seat knows it.

    All seats see the same; the seat only says who is looking. What was once seen may be remembered from
    `events` (`turns.Tracker` and `ticks.TickTracker` do).
    """

    seat: int
    start: Any
    """The public position that the game began with."""
    position: Any
    """The public position now."""
    events: tuple[Any, ...]
    """Everything that happened in between."""

    @property
    def is_mine(self) -> bool:
        """Whether the seat is to act."""
        return self.seat in self.position.acting
