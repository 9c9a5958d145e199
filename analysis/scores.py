"""What the end of a game or pair is worth: half points by rank, and margins in cards or points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

FORFEITS: Final = frozenset(
    {
        "resignation",
        "illegal-move",
        "protocol",
        "timeout",
        "silence",
        "crash",
        "memory",
        "flood",
        "startup",
        "disconnected",
    }
)
"""Terminations in which one seat, the culprit, gave the game away."""

EMPTIED_RESERVE: Final = 10
"""Points for emptying the reserve first (RULES 5)."""


def half_points(ranking: Sequence[Sequence[int]], seat: int) -> int:
    """Twice the points of a seat: 2 for each seat ranked below it, 1 for each other one ranked equal.

    Between two that is 2 for a win, 1 for a draw, 0 for a loss.
    """
    below = 0
    for group in reversed(ranking):
        if seat in group:
            return 2 * below + len(group) - 1
        below += len(group)
    raise ValueError(f"expected a ranking with seat {seat}, got {ranking!r}")


def margins(points: Sequence[int], left: Sequence[int], culprit: int | None = None) -> tuple[float, ...]:
    """How much each seat won by over the mean of the others: in points if there are any, else in cards.

    After a forfeit the others count as having gone out at that moment: the culprit is behind by all the
    cards it had left (where the game has points, by half of them, rounded down, and the 10 for a reserve).
    """
    worth = [float(-cards) for cards in left]
    if any(points):
        worth = [float(value) for value in points]
    if culprit is not None:
        behind = left[culprit] // 2 + EMPTIED_RESERVE if any(points) else left[culprit]
        worth = [float(-behind) if seat == culprit else 0.0 for seat in range(len(left))]
    total, others = sum(worth), len(worth) - 1
    return tuple(value - (total - value) / others for value in worth)


@dataclass(frozen=True, slots=True)
class Leg:
    """One finished game of a pair; the seats were rotated `number` times."""

    number: int
    ranking: Sequence[Sequence[int]]
    points: Sequence[int]
    left: Sequence[int]
    culprit: int | None = None


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """A pair as its first entrant sees it: games won, drawn and lost; half points; mean margin per game.

    With more than two seats, won means first alone, lost means last alone, and anything else counts as drawn.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score: int
    margin: float


def first_seat(leg: int, players: int) -> int:
    """Return the seat of the first entrant in a leg: `leg` rotations to the left of seat 0."""
    return -leg % players


def pair_points(legs: Sequence[Leg]) -> tuple[int, int]:
    """Return the points that the first and second entrant scored in the games of a pair."""
    first = sum(leg.points[first_seat(leg.number, 2)] for leg in legs)
    return first, sum(sum(leg.points) for leg in legs) - first


def pair_outcome(legs: Sequence[Leg]) -> PairOutcome:
    """Add up the legs of a pair."""
    wins = draws = losses = score = 0
    margin = 0.0
    for leg in legs:
        seat = first_seat(leg.number, len(leg.left))
        score += half_points(leg.ranking, seat)
        won, lost = list(leg.ranking[0]) == [seat], list(leg.ranking[-1]) == [seat]
        wins += won
        losses += lost
        draws += not (won or lost)
        margin += margins(leg.points, leg.left, leg.culprit)[seat]
    return PairOutcome(len(legs), wins, draws, losses, score, margin / len(legs))
