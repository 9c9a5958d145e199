"""The ways a game ends, with who is ranked how and what is scored: by its rules, by agreement, by forfeit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tournaments.referee.result import Result, Termination, draw_ranking, forfeit_ranking
from tournaments.referee.scores import draw_points, forfeit_points, standing

if TYPE_CHECKING:
    from engine import Outcome

_WORDS: Final = {
    Termination.WIN: "Won by going out.",
    Termination.STALL: "Drawn: 200 turns without a card to a foundation.",
    Termination.PASSES: "Drawn: every seat passed in a row.",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended; ``line`` is the public position then, ``seat`` whose doing it was."""

    line: str
    termination: Termination
    seat: int | None
    detail: str
    ranking: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]

    def result(self, *, plies: int, turns: int, cpu_ms: tuple[int, ...]) -> Result:
        """The result as it is recorded."""
        return Result(
            termination=self.termination,
            seat=self.seat,
            detail=self.detail,
            ranking=self.ranking,
            points=self.points,
            left=standing(self.line).left,
            plies=plies,
            turns=turns,
            cpu_ms=cpu_ms,
        )


def by_rules(line: str, outcome: Outcome) -> Ending:
    """The engine ended it (RULES 3)."""
    termination = Termination(outcome.result)
    return Ending(line, termination, None, _WORDS[termination], outcome.ranking, outcome.points)


def by_forfeit(line: str, seat: int, termination: Termination, detail: str) -> Ending:
    """A seat lost by its own doing: it is last, and scored as the loser of the position as it lies."""
    at = standing(line)
    ranking = forfeit_ranking(len(at.reserves), at.out, seat)
    return Ending(line, termination, seat, detail, ranking, forfeit_points(at, seat))


def by_agreement(line: str, seat: int) -> Ending:
    """Two agreed to a draw, ``seat`` by accepting."""
    at = standing(line)
    detail = f"Seat {1 - seat} offered a draw and seat {seat} accepted."
    ranking = draw_ranking(len(at.reserves), at.out)
    return Ending(line, Termination.DRAW_AGREED, None, detail, ranking, draw_points(at))
