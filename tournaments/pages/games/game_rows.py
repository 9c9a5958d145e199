"""Games as rows of a list, and one game as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import BigAutoField, UUIDField
from django.utils.translation import gettext_lazy

from arena.web.database.prepared_sql import Param, some, values_of
from arena.web.i18n.phrases import score
from arena.web.i18n.reasons import TERMINATIONS
from arena.web.paths import path
from arena.web.variants import variant_title
from bots.models import Language
from tournaments.games.records import seats_with
from tournaments.games.search import result_of
from tournaments.models import Game, Seat
from tournaments.models.embargo import prepare_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.models import Tournament

STATES = (gettext_lazy("queued"), gettext_lazy("running"), gettext_lazy("finished"))
"""What a row says of a game without a score: marked here, and looked up in the template that shows it."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits there; `won` if alone in the first place; `house` of a bot that comes with the site."""

    bot: str
    version: int
    url: str
    won: bool
    house: bool = False
    remote: bool = False


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game in a list; `score` and `reason` are empty while it is not over."""

    id: str
    url: str
    variant: str
    status: str
    seats: tuple[SeatRow, ...]
    score: str
    reason: str
    plies: int | None
    when: datetime | None
    tournament: str
    tournament_url: str
    left: tuple[int, ...] = ()
    """The cards that each seat had left, between two."""

    @property
    def final(self) -> str:
        """The address of a picture of the table at the end; empty before."""
        return path("games:final", self.id) if self.status == Game.Status.FINISHED else ""

    @property
    def label(self) -> str:
        """The seats' bots: ``Greedy – Planner``; with their versions where two are of one bot."""
        if len({seat.bot for seat in self.seats}) < len(self.seats):
            return " – ".join(f"{seat.bot} v{seat.version}" for seat in self.seats)
        return " – ".join(seat.bot for seat in self.seats)


@dataclass(frozen=True, slots=True)
class LegRow:
    """A game of a pair, counted from 1."""

    number: int
    url: str


def list_games(**narrowed: Any) -> QuerySet[Game]:
    """Games with all a row needs, newest first, void ones left out."""
    return (
        Game.objects.filter(**narrowed)
        .exclude(status=Game.Status.VOID)
        .select_related("tournament", "result")
        .prefetch_related(seats_with("version__bot"))
    )


def row(game: Game) -> GameRow:
    """A game of `list_games` as a row."""
    result, played = result_of(game), game.tournament
    seats = [
        (one.seat, version.number, version.language, bot.name, bot.slug, bot.is_house)
        for one in game.seats.all()
        for version, bot in [(one.version, one.version.bot)]
    ]
    ended = (
        (result.ranking, result.termination, result.plies, result.left) if result else (None, "", None, None)
    )
    when = (game.started_at, game.finished_at)
    return _row((game.pk, game.status, *when, played.variant, played.name, played.slug, *ended), seats)


def rows(games: QuerySet[Game]) -> list[GameRow]:
    """Games as rows, in the order of the query; two plain queries, as objects cost more than the reading."""
    return _rows(_columns(games))


def _columns(games: QuerySet[Game]) -> list[Sequence[Any]]:
    return list(games.select_related(None).prefetch_related(None).values_list(*COLUMNS))


def _rows(found: Sequence[Sequence[Any]]) -> list[GameRow]:
    """Games of these columns as rows, in one query."""
    seats: dict[UUID, list[Any]] = {columns[0]: [] for columns in found}
    for game, *seat in _seats(len(seats)).rows(**values_of(list(seats))) if seats else ():
        seats[game].append(seat)
    return [_row(columns, seats[columns[0]]) for columns in found]


@prepare_query
def _seats(count: int) -> QuerySet[Seat, tuple[Any, ...]]:
    """The seats of so many games."""
    found = Seat.objects.filter(game__pk__in=some(count, UUIDField())).order_by("seat")
    return found.values_list("game", *SEAT_COLUMNS)


COLUMNS = (
    "pk", "status", "started_at", "finished_at",
    "tournament__variant", "tournament__name", "tournament__slug",
    "result__ranking", "result__termination", "result__plies", "result__left",
)  # fmt: skip
SEAT_COLUMNS = (
    "seat", "version__number", "version__language",
    "version__bot__name", "version__bot__slug", "version__bot__is_house",
)  # fmt: skip


def _row(columns: Sequence[Any], seats: Iterable[Sequence[Any]]) -> GameRow:
    """A row of the values of `COLUMNS`, and of `SEAT_COLUMNS` for each seat."""
    key, status, started, finished, variant, tournament, slug, ranking, termination, plies, left = columns
    first = list(ranking[0]) if ranking else []
    return GameRow(
        id=str(key),
        url=path("games:detail", key),
        variant=variant_title(variant),
        status=status,
        seats=tuple(
            SeatRow(
                name, version, path("bots:detail", bot), first == [seat], house, language == Language.REMOTE
            )
            for seat, version, language, name, bot, house in seats
        ),
        score=score(ranking) if ranking else "",
        reason=str(TERMINATIONS.get(termination, termination)) if ranking else "",
        plies=plies,
        when=finished or started,
        tournament=tournament,
        tournament_url=path("tournaments:detail", slug),
        left=tuple(left) if left and len(left) == 2 else (),
    )


def recent(limit: int) -> list[GameRow]:
    """The games that finished last."""
    return _rows(_recent(limit).rows())


def running(limit: int) -> list[GameRow]:
    """The games being played, the longest running first."""
    return _rows(_running(limit).rows())


def going_on(
    limit: int, tournament: Tournament, *, running: bool, recent: bool
) -> tuple[list[GameRow], list[GameRow]]:
    """A tournament's games being played, and those that finished last, in three queries."""
    played = _running(limit, of_one=True).rows(tournament=tournament.pk) if running else []
    over = _recent(limit, of_one=True).rows(tournament=tournament.pk) if recent else []
    found = _rows([*played, *over])
    return found[: len(played)], found[len(played) :]


@prepare_query
def _recent(limit: int, *, of_one: bool = False) -> QuerySet[Game, tuple[Any, ...]]:
    over = _of(Game.Status.FINISHED, of_one=of_one).order_by("-finished_at", "-pk")
    return over.values_list(*COLUMNS)[:limit]


@prepare_query
def _running(limit: int, *, of_one: bool = False) -> QuerySet[Game, tuple[Any, ...]]:
    return _of(Game.Status.RUNNING, of_one=of_one).order_by("started_at").values_list(*COLUMNS)[:limit]


def _of(status: Game.Status, *, of_one: bool) -> QuerySet[Game]:
    """The games of a status, in all tournaments or in the given one."""
    found = Game.objects.filter(status=status)
    return found.filter(tournament=Param("tournament", BigAutoField())) if of_one else found


def of_bot(bot: Bot, limit: int) -> list[GameRow]:
    """The last games of any version of a bot."""
    games = list_games(seats__version__bot=bot).exclude(status=Game.Status.QUEUED).distinct()
    return [row(game) for game in games.order_by("-started_at")[:limit]]


def other_legs(game: Game) -> list[LegRow]:
    """The other games of the same deal between the same bots, with the seats changed."""
    legs = _legs().rows(pair=game.pair_id)
    return [LegRow(leg + 1, path("games:detail", key)) for key, leg in legs if key != game.pk]


@prepare_query
def _legs() -> QuerySet[Game, tuple[UUID, int]]:
    """The games of a pair."""
    pair = Game.objects.filter(pair=Param("pair", BigAutoField())).exclude(status=Game.Status.VOID)
    return pair.order_by("leg").values_list("pk", "leg")
