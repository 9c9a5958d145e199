"""Which games are worth watching now: those being played, and the best of those played lately."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import BigAutoField, UUIDField
from django.utils import timezone

from analysis.scores import FORFEITS, margins
from arena.web.database.prepared_sql import some, values_of
from engine.boards import board_name
from tournaments.games.records import with_seats
from tournaments.models import Game, Rating, Seat
from tournaments.models.embargo import prepare_query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

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


class Watchable(NamedTuple):
    """What decides how much a game is worth watching."""

    key: UUID
    running: bool
    finished_at: datetime | None
    board: str
    termination: str | None
    plies: int | None
    points: list[int] | None
    left: list[int] | None
    culprit: int | None


def programme(limit: int) -> list[Game]:
    """Return games to watch, the best first: those being played, then the last ones that are over.

    Both are ordered by the mean rating of their bots and by how close they are: in rating before the end, in
    the margin after it. A second game of the same bots comes after the first ones of all others.
    """
    playing = _watchable(Game.Status.RUNNING, "-started_at")
    lately = _watchable(Game.Status.FINISHED, "-finished_at")
    bots, elos = _bots_and_elos([*playing, *lately])
    now = timezone.now()
    playing.sort(key=lambda one: _worth(one, elos[one.key], now), reverse=True)
    lately.sort(key=lambda one: _worth(one, elos[one.key], now), reverse=True)
    keys = [one.key for one in _varied([*playing, *lately], bots)[:limit]]
    found = {game.pk: game for game in with_seats(keys)}
    return [found[key] for key in keys if key in found]


def _watchable(status: Game.Status, order: str) -> list[Watchable]:
    """The first games of a status; as columns, since far fewer are shown than compared."""
    return [
        Watchable(key, status == Game.Status.RUNNING, finished, board_name(variant, players), *result)
        for key, status, finished, variant, players, *result in _compared(status, order).rows()
    ]


@prepare_query
def _compared(status: Game.Status, order: str) -> QuerySet[Game, tuple[Any, ...]]:
    return Game.objects.filter(status=status).order_by(order).values_list(
        "pk", "status", "finished_at", "tournament__variant", "tournament__players",
        "result__termination", "result__plies", "result__points", "result__left", "result__culprit",
    )[:MOST_COMPARED]  # fmt: skip


def _varied(games: Sequence[Watchable], bots: Mapping[UUID, frozenset[int]]) -> list[Watchable]:
    """Return the games in their order, but first one of each company of bots, then the second ones."""
    met: Counter[frozenset[int]] = Counter()
    turns = []
    for game in games:
        turns.append((met[bots[game.key]], game))
        met[bots[game.key]] += 1
    return [game for _, game in sorted(turns, key=itemgetter(0))]


def _bots_and_elos(
    games: Sequence[Watchable],
) -> tuple[dict[UUID, frozenset[int]], dict[UUID, list[float]]]:
    """Return each game's bots, and their ratings on its board."""
    versions: dict[UUID, list[int]] = {game.key: [] for game in games}
    bots: dict[UUID, set[int]] = {game.key: set() for game in games}
    for key, version, bot in _sitting(len(versions)).rows(**values_of(list(versions))) if versions else ():
        versions[key].append(version)
        bots[key].add(bot)
    sitting = sorted({version for found in versions.values() for version in found})
    rated = _rated(len(sitting)).rows(**values_of(sitting)) if sitting else ()
    known = {(board, version): elo for board, version, elo in rated}
    elos = {
        game.key: [known.get((game.board, version), UNRATED) for version in versions[game.key]]
        for game in games
    }
    return {key: frozenset(found) for key, found in bots.items()}, elos


@prepare_query
def _sitting(count: int) -> QuerySet[Seat, tuple[UUID, int, int]]:
    """The versions and bots that sit in so many games."""
    seats = Seat.objects.filter(game__pk__in=some(count, UUIDField())).order_by("seat")
    return seats.values_list("game", "version", "version__bot")


@prepare_query
def _rated(count: int) -> QuerySet[Rating, tuple[str, int, float]]:
    """The ratings of so many versions."""
    rated = Rating.objects.filter(version__pk__in=some(count, BigAutoField()))
    return rated.values_list("variant", "version", "elo")


def _worth(game: Watchable, elos: Sequence[float], now: datetime) -> float:
    """How much a game is worth watching, in points of rating."""
    strength = sum(elos) / len(elos)
    if game.running or game.finished_at is None or game.plies is None:
        # The chance of the strongest against the weakest, by Elo's formula; even is close.
        favourite = 1 / (1 + 10 ** ((min(elos) - max(elos)) / 400))
        return strength + CLOSE * 2 * (1 - favourite)
    minutes = (now - game.finished_at).total_seconds() / 60
    dull = game.termination in FORFEITS or not FEWEST_PLIES <= game.plies <= MOST_PLIES
    return strength + CLOSE * _closeness(game) - A_MINUTE * minutes - (DULL if dull else 0)


def _closeness(game: Watchable) -> float:
    """1 for a draw, down to 0 for a game won by `WIDE_MARGIN` or more."""
    most = max(margins(game.points or (), game.left or (), game.culprit))
    return 1 - min(1.0, most / WIDE_MARGIN)
