"""The ways a game ends (by its rules, by agreement, by forfeit), with ranking and points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.sheet import totals
from engine.vitesse import STALL_LIMIT
from referee.result import Result, Termination, draw_ranking, forfeit_ranking
from referee.scores import draw_points, forfeit_points, race_forfeit_parts, standing

if TYPE_CHECKING:
    from engine import Outcome, Race
    from referee.errors import Forfeit

_WORDS: Final = {
    Termination.WIN: "Won by going out.",
    Termination.STALL: "Drawn: 200 turns without a card to a foundation.",
    Termination.PASSES: "Drawn: every seat passed in a row.",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. ``left`` counts each seat's cards, ``seat`` is the one that caused the end."""

    left: tuple[int, ...]
    termination: Termination
    seat: int | None
    detail: str
    ranking: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]

    def result(self, *, plies: int, turns: int, cpu_ms: tuple[int, ...]) -> Result:
        """Return the result as it is recorded."""
        return Result(
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


def by_rules(line: str, outcome: Outcome) -> Ending:
    """Return the ending of a game that the engine ended (RULES 3)."""
    termination = Termination(outcome.result)
    return Ending(
        standing(line).left, termination, None, _WORDS[termination], outcome.ranking, outcome.points
    )


def by_forfeit(line: str, seat: int, termination: Termination, detail: str) -> Ending:
    """Return the ending if a seat forfeits: it is last, and loses the position on the table."""
    at = standing(line)
    ranking = forfeit_ranking(len(at.reserves), at.out, seat)
    return Ending(at.left, termination, seat, detail, ranking, forfeit_points(at, seat))


def by_agreement(line: str, seat: int) -> Ending:
    """Return the ending if two agree to a draw; ``seat`` accepted it."""
    at = standing(line)
    detail = f"Seat {1 - seat} offered a draw and seat {seat} accepted."
    ranking = draw_ranking(len(at.reserves), at.out)
    return Ending(at.left, Termination.DRAW_AGREED, None, detail, ranking, draw_points(at))


def race_by_rules(race: Race, outcome: Outcome) -> Ending:
    """Return the ending of a game of `vitesse` that the engine ended (RULES 7)."""
    stopper = race.stopper
    if stopper is None:
        how = f"Nobody played a card for {STALL_LIMIT} ticks"
    else:
        how = f"Seat {stopper} {'called stop' if race.seats[stopper].left else 'played its last card'}"
    first, second = outcome.points
    detail = f"{how}: {first} to {second} points."
    return Ending(_left(race), Termination(outcome.result), None, detail, outcome.ranking, outcome.points)


def race_by_forfeit(race: Race, forfeit: Forfeit) -> Ending:
    """Return the ending of a forfeited `vitesse`: only the other scores, as if it had called stop."""
    seat = forfeit.seat
    ranking = forfeit_ranking(2, (), seat)
    points = totals(race_forfeit_parts(race, seat))
    return Ending(_left(race), forfeit.termination, seat, str(forfeit), ranking, points)


def _left(race: Race) -> tuple[int, ...]:
    return tuple(seat.left for seat in race.seats)
