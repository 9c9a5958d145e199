"""Records of games: what a replay is made of, of one game or of many, finished or still running."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db.models import Prefetch, Q, UUIDField

import engine
from analysis import game_record
from analysis.event_log import canonical
from arena.web.cache import versions
from arena.web.cache.values import shared_rows
from arena.web.database.prepared_sql import some, values_of
from bots.models import Version
from bots.versions import seat_head
from tournaments.games import archive as archived_events
from tournaments.games import bundles
from tournaments.games.search import Wanted, find_games
from tournaments.models import EventBatch, Game, Record, Result, Seat, Tournament
from tournaments.models.embargo import prepare_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from analysis.game_record import GameRecord, Head, Proved
    from referee.messages import RecordEvent
    from tournaments.games.public_data import Month


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
    try:
        return next(iter(with_seats([game_id], *(parts or ("record__archive",)))), None)
    except (ValidationError, ValueError):
        return None


def with_seats(keys: Sequence[UUID | str], *parts: str) -> list[Game]:
    """These games with their results, tournaments, seats, versions, bots and owners, and with these `parts`
    of a game; nobody may change them."""
    # The same bots and tournaments are on one page after the other, and change far less often than games.
    in_page = versions.of_page() is not None
    games = _games(len(keys), parts, whole=not in_page).rows(**values_of(keys)) if keys else []
    found = {game.pk: game for game in games}
    seats: dict[UUID, list[Seat]] = {key: [] for key in found}
    for seat in _seats(len(found), whole=not in_page).rows(**values_of(list(found))) if found else ():
        seat.game = found[seat.game_id]
        if in_page:
            seat.version = _version(seat.version_id)
        seats[seat.game_id].append(seat)
    for game in games:
        if in_page:
            game.tournament = _tournament(game.tournament_id)
        _prefetched(game, seats[game.pk])
    return games


@prepare_query
def _games(count: int, parts: tuple[str, ...], *, whole: bool) -> QuerySet[Game]:
    """So many games; `whole` with their tournaments."""
    related = ("result", *parts, *(("tournament",) if whole else ()))
    return Game.objects.select_related(*related).filter(pk__in=some(count, UUIDField())).order_by()


@prepare_query
def _seats(count: int, *, whole: bool) -> QuerySet[Seat]:
    """The seats of so many games; `whole` with their versions, bots and owners."""
    found = Seat.objects.filter(game__pk__in=some(count, UUIDField())).order_by("seat")
    return found.select_related("version__bot__owner") if whole else found


def _prefetched(game: Game, seats: list[Seat]) -> None:
    """Have `game.seats.all()` give these, as after `prefetch_related`."""
    known: Any = Seat.objects.all()
    known._result_cache, known._prefetch_done = seats, True
    game._prefetched_objects_cache = {"seats": known}  # type: ignore[attr-defined]


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
        return archived_events.events(stored)[after + 1 :]
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


CHUNK = 50


def month_lines(month: Month, wanted: Wanted = Wanted()) -> Iterator[bytes]:  # noqa: B008 - it is frozen
    """The records of a month (UTC) in the order they finished, one a line, with their proofs.

    A month that goes on gives more lines later. Voided games are left out.
    """
    finished = _finished(wanted)
    return _lines(finished.filter(finished_at__gte=month.begins, finished_at__lt=month.next.begins))


def record_lines(wanted: Wanted) -> Iterator[bytes]:
    """The records of finished games that fit, in the order they finished, one a line, with their proofs."""
    return _lines(_finished(wanted))


def _finished(wanted: Wanted) -> QuerySet[Game]:
    found = find_games(replace(wanted, status=Game.Status.FINISHED))
    return found.filter(finished_at__isnull=False, record__isnull=False)


def _lines(found: QuerySet[Game]) -> Iterator[bytes]:
    found = found.order_by("finished_at", "pk")
    seeds: dict[tuple[int, int], dict[int, str | None]] = {}
    rest = found
    # From where the last ones end: there may be millions.
    while places := list(rest.values_list("finished_at", "pk")[:CHUNK]):
        at, last = places[-1]
        rest = found.filter(Q(finished_at__gt=at) | Q(finished_at=at, pk__gt=last))
        games = Game.objects.filter(pk__in=[pk for _, pk in places], record__isnull=False)
        for game in (
            games.select_related("tournament", "result", "record__archive", "pair__pairing")
            .prefetch_related("seats__version__bot__owner")
            .order_by("finished_at", "pk")
        ):
            yield canonical(_proved(game, seeds)) + b"\n"


def _proved(game: Game, seeds: dict[tuple[int, int], dict[int, str | None]]) -> Proved:
    tournament: Tournament = game.tournament
    key = (tournament.pk, game.pair.batch)
    if key not in seeds:
        seeds[key] = bundles.revealed_seeds(tournament, {game.pair.batch})
    return bundles.prove_game(game, seeds[key], game.pair, game.pair.pairing)
