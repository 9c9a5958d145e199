"""The ways a game ends (by its rules, by agreement, by forfeit), with ranking and points, and its result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Position


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


@dataclass(frozen=True, slots=True)
class GameEnding:
    """How a game ended. ``left`` counts each seat's cards, ``seat`` is the one that caused the end."""

    left: tuple[int, ...]
    termination: Termination
    seat: int | None
    detail: str
    ranking: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]

    def result(self, *, plies: int, turns: int, cpu_ms: tuple[int, ...]) -> GameResult:
        """Return the result as it is recorded."""
        return GameResult(
            termination=self.termination,
            seat=self.seat,
            detail=self.detail,
            ranking=self.ranking,
            points=self.points,
            left=self.left,
            plies=plies,
            turns=turns,
            cpu_ms=cpu_ms,
        )


def by_rules(position: Position) -> GameEnding:
    """The engine ended it (RULES 3, 7)."""
    outcome = position.outcome()
    assert outcome is not None  # noqa: S101
    termination = Termination(outcome.result)
    return GameEnding(position.left, termination, None, position.ending(), outcome.ranking, outcome.points)


def by_forfeit(position: Position, seat: int, termination: Termination, detail: str) -> GameEnding:
    """A seat lost by its own doing: it is last, and scored as `engine.Position.given_up` says."""
    outcome = position.given_up(seat)
    return GameEnding(position.left, termination, seat, detail, outcome.ranking, outcome.points)


def by_agreement(position: Position, seat: int) -> GameEnding:
    """Two agreed to a draw, ``seat`` by accepting."""
    outcome = position.given_up(None)
    detail = f"Seat {1 - seat} offered a draw and seat {seat} accepted."
    return GameEnding(position.left, Termination.DRAW_AGREED, None, detail, outcome.ranking, outcome.points)
