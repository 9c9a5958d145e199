"""The outcome of a pair, as its first entrant sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.scores import half_points, margins

if TYPE_CHECKING:
    from collections.abc import Sequence


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
