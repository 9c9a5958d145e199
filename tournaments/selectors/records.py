"""Records of games: what a replay is made of, whole or from a number on, finished or still running."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db.models import Prefetch

import engine
from analysis import game_record
from arena.common import stamps
from arena.common.shared_values import shared_rows
from bots.models import Version
from bots.selectors import seat_head
from tournaments.models import EventBatch, Game, Record, Result, Seat, Tournament
from tournaments.selectors import archives

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from analysis.game_record import GameRecord, Head
    from referee.messages import RecordEvent


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A game at one moment: `head` its record without events, `events` those after number `after`."""

    head: Head
    token: int
    after: int
    events: list[RecordEvent]
    finished: bool


def seats_with(path: str) -> Prefetch[str]:
    """For `prefetch_related`: the seats of games with what a path leads to, in one query."""
    return Prefetch("seats", Seat.objects.select_related(path).order_by("seat"))


def find_game(game_id: UUID | str, *parts: str) -> Game | None:
    """The game with all that its record needs, or with these `parts` of a game, in two queries; or None."""
    games = Game.objects.select_related("result", *(parts or ("record__archive",)))
    try:
        return next(iter(with_seats(games.filter(pk=game_id).order_by())), None)
    except (ValidationError, ValueError):
        return None


def with_seats(games: QuerySet[Game]) -> list[Game]:
    """The games with their tournaments, seats, versions, bots and owners, which nobody may change."""
    if stamps.of_page() is None:
        games = games.select_related("tournament").prefetch_related(seats_with("version__bot__owner"))
        return list(games)
    # The same bots and tournaments are on one page after the other, and change far less often than games.
    found = list(games.prefetch_related(Prefetch("seats", Seat.objects.order_by("seat"))))
    for game in found:
        game.tournament = _tournament(game.tournament_id)
        for seat in game.seats.all():
            seat.version = _version(seat.version_id)
    return found


@shared_rows
def _tournament(key: int) -> Tournament:
    return Tournament.objects.get(pk=key)


@shared_rows
def _version(key: int) -> Version:
    return Version.objects.select_related("bot__owner").get(pk=key)


def snapshot(game_id: UUID | str, after: int = -1, token: int = -1) -> Snapshot | None:
    """What a watcher lacks who has events up to `after` of the attempt `token` (-1: whichever is current)."""
    game = find_game(game_id)
    if game is None:
        return None
    if token not in (-1, game.token):
        after = -1
    finished = game.status in (Game.Status.FINISHED, Game.Status.VOID)
    return Snapshot(head(game), game.token, after, events(game, after), finished)


def record(game: Game) -> GameRecord:
    """The whole record: `head` with the events so far."""
    return game_record.whole(head(game), events(game))


def head(game: Game) -> Head:
    """The record without its events. The start shows hidden cards only once the game is finished."""
    stored = stored_record(game)
    return game_record.head(
        game=str(game.pk),
        variant=game.tournament.variant,
        seats=[seat_head(seat.version) for seat in game.seats.all()],
        start=game.start if stored else str(engine.Position.parse(game.start).public()),
        clock={"bank_ms": game.tournament.bank_ms, "increment_ms": game.tournament.increment_ms},
        result=result(game),
        status=game.status,
        clock_scale=_clock_scale(game),
        rules=stored.rules if stored else engine.RULES_VERSION,
    )


def _clock_scale(game: Game) -> float:
    """What the host that played multiplied the clock by."""
    try:
        return game.result.clock_scale
    except Result.DoesNotExist:
        return 1


def events(game: Game, after: int = -1) -> list[RecordEvent]:
    """The events with numbers above `after`, of the record if there is one, else of the current attempt."""
    stored = stored_record(game)
    if stored is not None:
        return archives.events(stored)[after + 1 :]
    batches = EventBatch.objects.filter(game=game, attempt__token=game.token, last_n__gt=after)
    found = [event for batch in batches.order_by("first_n") for event in json.loads(batch.data)]
    return [event for event in found if event["n"] > after]


def result(game: Game) -> dict[str, Any] | None:
    """The accepted result in the form of the record, or None."""
    try:
        found = game.result
    except Result.DoesNotExist:
        return None
    return {
        "termination": found.termination,
        "seat": found.culprit,
        "detail": found.detail,
        "ranking": found.ranking,
        "points": found.points,
        "left": found.left,
        "plies": found.plies,
        "turns": found.turns,
        "cpu_ms": found.cpu_ms,
    }


def stored_record(game: Game) -> Record | None:
    """The stored event log of a finished game, or None."""
    try:
        return game.record
    except Record.DoesNotExist:
        return None
