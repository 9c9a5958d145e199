"""Which games are worth watching now: those being played, and the best of those played lately."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils import timezone

from analysis.scores import FORFEITS, margins
from tournaments.models import Game, Rating, Result
from tournaments.selectors.ladders import board_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MOST_COMPARED: Final = 48
"""Of the games being played, and of those that ended last."""
UNRATED: Final = 1000.0
CLOSE: Final = 300.0
"""Points of rating that the closest game is worth more than a walk-over."""
A_MINUTE: Final = 3.0
"""Points of rating that each minute since its end takes from a game."""
WIDE_MARGIN: Final = 30.0
"""Cards or points by which a game is won that was not close at all."""
FEWEST_PLIES: Final = 40
MOST_PLIES: Final = 700
"""A longer game takes more than eight minutes at a speed that people can follow."""
DULL: Final = 1000.0
"""Points of rating that a game loses which was given away, over before it began, or endless."""


def programme(limit: int) -> list[Game]:
    """Return games to watch, the best first: those being played, then the last ones that are over.

    Both are ordered by the mean rating of their bots and by how close they are: in rating before the end, in
    the margin after it.
    """
    games = Game.objects.select_related("tournament", "result").prefetch_related("seats__version__bot")
    playing = list(games.filter(status=Game.Status.RUNNING).order_by("-started_at")[:MOST_COMPARED])
    over = games.filter(status=Game.Status.FINISHED).order_by("-finished_at")
    lately = list(over[:MOST_COMPARED])
    ratings = _ratings([*playing, *lately])
    now = timezone.now()
    playing.sort(key=lambda game: _worth(game, ratings, now), reverse=True)
    lately.sort(key=lambda game: _worth(game, ratings, now), reverse=True)
    return [*playing, *lately][:limit]


def _ratings(games: Sequence[Game]) -> dict[tuple[str, int], float]:
    """Return the ratings of the games' bots by board and version."""
    versions = {seat.version_id for game in games for seat in game.seats.all()}
    rated = Rating.objects.filter(version__in=versions).values_list("variant", "version", "elo")
    return {(board, version): elo for board, version, elo in rated}


def _worth(game: Game, ratings: dict[tuple[str, int], float], now: datetime) -> float:
    """How much a game is worth watching, in points of rating."""
    board = board_of(game.tournament)
    elos = [ratings.get((board, seat.version_id), UNRATED) for seat in game.seats.all()]
    strength = sum(elos) / len(elos)
    if game.status == Game.Status.RUNNING or game.finished_at is None:
        # The chance of the strongest against the weakest, by Elo's formula; even is close.
        favourite = 1 / (1 + 10 ** ((min(elos) - max(elos)) / 400))
        return strength + CLOSE * 2 * (1 - favourite)
    minutes = (now - game.finished_at).total_seconds() / 60
    dull = game.result.termination in FORFEITS or not FEWEST_PLIES <= game.result.plies <= MOST_PLIES
    return strength + CLOSE * _closeness(game.result) - A_MINUTE * minutes - (DULL if dull else 0)


def _closeness(result: Result) -> float:
    """1 for a draw, down to 0 for a game won by `WIDE_MARGIN` or more."""
    most = max(margins(result.points, result.left, result.culprit))
    return 1 - min(1.0, most / WIDE_MARGIN)
