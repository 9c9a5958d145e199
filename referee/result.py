"""How a game ended: the termination, the ranking, the points."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Termination(StrEnum):
    """Why a game ended. The first five follow from the game; a seat causes the others."""

    WIN = "win"
    STOP = "stop"
    STALL = "stall"
    PASSES = "passes"
    DRAW_AGREED = "draw-agreed"
    RESIGNATION = "resignation"
    ILLEGAL_MOVE = "illegal-move"
    PROTOCOL = "protocol"
    TIMEOUT = "timeout"
    SILENCE = "silence"
    CRASH = "crash"
    MEMORY = "memory"
    FLOOD = "flood"
    STARTUP = "startup"
    DISCONNECTED = "disconnected"


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a finished game, as it is recorded.

    ``seat`` is the one that caused the end, if any. ``ranking`` lists groups of equal seats, best first.
    ``left`` counts the cards each seat still has, and ``cpu_ms`` is the CPU time each seat used.
    """

    termination: Termination
    seat: int | None
    detail: str
    ranking: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    left: tuple[int, ...]
    plies: int
    turns: int
    cpu_ms: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of the record (`messages.ResultFields`, with tuples for lists)."""
        return asdict(self) | {"termination": self.termination.value}
