"""Public data as tables: what each column means, and the rows. Only what everyone can see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from django.db.models import F, OuterRef, Subquery

from bots.models import PLAYABLE, ActiveVersion, Language, Version
from tournaments.models import Dataset, DatasetPart, Game, Pair, Rating, RatingPoint, Seat, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.models import QuerySet


Kind = Literal["text", "int8", "int32", "int64", "float64", "boolean", "time"]
Row = tuple[Any, ...]
CHUNK: Final = 5_000


@dataclass(frozen=True, slots=True)
class DataColumn:
    """A column: its name and kind, what it means, and whether it may be null."""

    name: str
    kind: Kind
    meaning: str
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Month:
    """A month in UTC."""

    year: int
    number: int

    @classmethod
    def of(cls, moment: datetime) -> Month:
        """The month that a moment is in."""
        at = moment.astimezone(UTC)
        return cls(at.year, at.month)

    @classmethod
    def parse(cls, text: str) -> Month:
        """The month written as 2026-05."""
        year, number = map(int, text.split("-"))
        return cls(year, number)

    def __str__(self) -> str:
        return f"{self.year}-{self.number:02}"

    @property
    def next(self) -> Month:
        """The month after it."""
        return Month(self.year + self.number // 12, self.number % 12 + 1)

    @property
    def begins(self) -> datetime:
        """Its first moment."""
        return datetime(self.year, self.number, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table of public data. One by month has a file for each month, by when a game finished."""

    name: str
    meaning: str
    columns: tuple[DataColumn, ...]
    rows: Callable[[Month | None], Iterator[Row]]
    by_month: bool = False


def _finished(month: Month | None) -> QuerySet[Game]:
    """Finished games that have a result, in events of sandboxed bots; of a month, if one is named."""
    found = Game.objects.filter(
        status=Game.Status.FINISHED, result__isnull=False, tournament__admits_remote=False
    )
    if month is not None:
        found = found.filter(finished_at__gte=month.begins, finished_at__lt=month.next.begins)
    return found


def _games(month: Month | None) -> Iterator[Row]:
    found = _finished(month).order_by("finished_at", "pk")
    for key, status, deal, cards, *rest in found.values_list(
        "pk",
        "pair__status",
        "luck__deal_result",
        "luck__cards_result",
        "tournament__slug",
        "tournament__variant",
        "tournament__players",
        "tournament__rated",
        "tournament__bank_ms",
        "tournament__increment_ms",
        "pair__pairing__round",
        "pair__pairing__table",
        "pair__number",
        "leg",
        "result__termination",
        "result__culprit",
        "result__plies",
        "result__turns",
        "started_at",
        "finished_at",
    ).iterator(CHUNK):
        luck = None if deal is None else (deal + cards) / 2
        yield (str(key), *rest, status == Pair.Status.ACCEPTED, luck)


def _seats(month: Month | None) -> Iterator[Row]:
    found = Seat.objects.filter(game__in=_finished(month)).order_by("game__finished_at", "game", "seat")
    for key, seat, bot, version, ranking, *lists in found.values_list(
        "game",
        "seat",
        "version__bot__slug",
        "version__number",
        "game__result__ranking",
        "game__result__points",
        "game__result__left",
        "game__result__cpu_ms",
    ).iterator(CHUNK):
        place = next((number for number, group in enumerate(ranking, start=1) if seat in group), None)
        yield (str(key), seat, bot, version, place, *(_at(one, seat) for one in lists))


def _at(values: list[int], seat: int) -> int | None:
    return values[seat] if seat < len(values) else None


def _ratings(month: Month | None) -> Iterator[Row]:
    found = Rating.objects.filter(games__gt=0).order_by("variant", "-elo", "pk")
    yield from found.values_list(
        "variant",
        "version__bot__slug",
        "version__number",
        "elo",
        "error",
        "low",
        "high",
        "anchored",
        "pairs",
        "games",
        "wins",
        "draws",
        "losses",
        "margin",
        "computed_at",
    ).iterator(CHUNK)


def _history(month: Month | None) -> Iterator[Row]:
    found = RatingPoint.objects.order_by("at", "pk")
    yield from found.values_list(
        "variant", "version__bot__slug", "version__number", "at", "elo", "error", "games"
    ).iterator(CHUNK)


def _versions(month: Month | None) -> Iterator[Row]:
    found = Version.objects.filter(status__in=PLAYABLE).exclude(language=Language.REMOTE)
    found = found.order_by("bot__slug", "number")
    active = set(ActiveVersion.objects.values_list("version", flat=True))
    for key, *rest in found.values_list(
        "pk",
        "bot__slug",
        "bot__name",
        "bot__owner__username",
        "bot__is_house",
        "number",
        "language",
        "sha256",
        "created_at",
    ).iterator(CHUNK):
        yield (*rest, key in active)


def _tournaments(month: Month | None) -> Iterator[Row]:
    found = Tournament.objects.exclude(status=Tournament.Status.DRAFT).filter(admits_remote=False)
    found = found.order_by("created_at", "pk")
    for one in found.select_related("owner").iterator(CHUNK):
        yield (
            one.slug,
            one.name,
            one.owner.get_username() if one.owner else None,
            one.format,
            one.variant,
            one.players,
            one.rated,
            one.bank_ms,
            one.increment_ms,
            one.status,
            one.seed_commitment,
            one.seed if one.is_over else None,
            one.created_at,
            one.started_at,
            one.finished_at,
        )


GAME: Final = DataColumn("game", "text", "The game’s id: `/games/ID/` is its page.")
BOT: Final = DataColumn("bot", "text", "The bot’s name in addresses.")
VERSION: Final = DataColumn("version", "int32", "The version’s number, from 1.")
BOARD: Final = DataColumn("board", "text", "The variant, with `/3` or `/4` for more than two seats.")
VARIANT: Final = DataColumn("variant", "text", "The game that is played.")
PLAYERS: Final = DataColumn("players", "int8", "Seats.")
BANK: Final = DataColumn("bank_ms", "int32", "CPU time for each bot in each game, in milliseconds.")
INCREMENT: Final = DataColumn("increment_ms", "int32", "Added after each turn, in milliseconds.")
ELO: Final = DataColumn("elo", "float64", "The rating.")
ERROR: Final = DataColumn("error", "float64", "Its standard error.")

TABLES: Final = {
    table.name: table
    for table in (
        DataTable(
            "games",
            "Finished games, one row each.",
            (
                GAME,
                DataColumn("tournament", "text", "The tournament’s name in addresses."),
                VARIANT,
                PLAYERS,
                DataColumn("rated", "boolean", "Whether the event counts for ratings."),
                BANK,
                INCREMENT,
                DataColumn("round", "int32", "The round, from 1."),
                DataColumn("table", "int32", "The table in the round, from 1."),
                DataColumn(
                    "pair", "int32", "The pair’s number: its games play one deal, with seats swapped."
                ),
                DataColumn("leg", "int8", "Which game of the pair, from 0."),
                DataColumn("ending", "text", "How it ended."),
                DataColumn("culprit", "int8", "The seat that forfeited.", nullable=True),
                DataColumn("plies", "int32", "Moves made; in `vitesse`, ticks."),
                DataColumn("turns", "int32", "Turns played."),
                DataColumn("started_at", "time", "When it began.", nullable=True),
                DataColumn("finished_at", "time", "When its result was accepted.", nullable=True),
                DataColumn("accepted", "boolean", "Whether its pair is complete and counts."),
                DataColumn("luck", "float64", "Points that luck was worth to seat 0.", nullable=True),
            ),
            _games,
            by_month=True,
        ),
        DataTable(
            "seats",
            "Who sat in each finished game, one row for each seat.",
            (
                GAME,
                DataColumn("seat", "int8", "From 0, in the order of play."),
                BOT,
                VERSION,
                DataColumn("place", "int8", "1 for the winner; equal seats share a place.", nullable=True),
                DataColumn("points", "int32", "Points by the rules of the variant.", nullable=True),
                DataColumn("left", "int32", "Cards left.", nullable=True),
                DataColumn("cpu_ms", "int64", "CPU time used, in milliseconds.", nullable=True),
            ),
            _seats,
            by_month=True,
        ),
        DataTable(
            "ratings",
            "The leaderboards as they stand.",
            (
                BOARD,
                BOT,
                VERSION,
                ELO,
                ERROR,
                DataColumn("low", "float64", "Lower end of the 95 % interval.", nullable=True),
                DataColumn("high", "float64", "Its upper end.", nullable=True),
                DataColumn("anchored", "boolean", "Whether a chain of games leads to the anchor."),
                DataColumn("pairs", "int32", "Pairs that count."),
                DataColumn("games", "int32", "Games that count."),
                DataColumn("wins", "int32", "Games won."),
                DataColumn("draws", "int32", "Games drawn."),
                DataColumn("losses", "int32", "Games lost."),
                DataColumn("margin", "float64", "The mean margin of a pair."),
                DataColumn("computed_at", "time", "When they were computed."),
            ),
            _ratings,
        ),
        DataTable(
            "rating-history",
            "Ratings as they were, one row whenever one was noted.",
            (
                BOARD,
                BOT,
                VERSION,
                DataColumn("at", "time", "When."),
                ELO,
                ERROR,
                DataColumn("games", "int32", "Games that counted then."),
            ),
            _history,
        ),
        DataTable(
            "versions",
            "Accepted versions of all bots.",
            (
                BOT,
                DataColumn("name", "text", "The bot’s name."),
                DataColumn("owner", "text", "Its owner; null for the house.", nullable=True),
                DataColumn("house", "boolean", "Whether it is a house bot."),
                VERSION,
                DataColumn("language", "text", "What it is written in."),
                DataColumn("sha256", "text", "Digest of its files."),
                DataColumn("created_at", "time", "When it was uploaded."),
                DataColumn("active", "boolean", "Whether it plays for its bot on some board."),
            ),
            _versions,
        ),
        DataTable(
            "tournaments",
            "Tournaments, tests and ladders that have begun or are announced.",
            (
                DataColumn("tournament", "text", "Its name in addresses."),
                DataColumn("name", "text", "Its name."),
                DataColumn("owner", "text", "Who holds it; null for the house.", nullable=True),
                DataColumn("format", "text", "How pairings are made."),
                VARIANT,
                PLAYERS,
                DataColumn("rated", "boolean", "Whether it counts for ratings."),
                BANK,
                INCREMENT,
                DataColumn("status", "text", "Where it stands."),
                DataColumn("seed_commitment", "text", "SHA-256 of the seed, known from the start."),
                DataColumn("seed", "text", "The seed, once it is over.", nullable=True),
                DataColumn("created_at", "time", "When it was made."),
                DataColumn("started_at", "time", "When it began.", nullable=True),
                DataColumn("finished_at", "time", "When it ended.", nullable=True),
            ),
            _tournaments,
        ),
    )
}
"""Every table, by name: the data dictionary."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of public data: a table, or one month of it. `name` is without the ending."""

    table: DataTable
    month: Month | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.table.name}-{self.month}" if self.month else self.table.name

    @classmethod
    def find(cls, name: str) -> File:
        """The file of this name. Raises KeyError."""
        if name in TABLES and not TABLES[name].by_month:
            return cls(TABLES[name])
        table, _, month = name.partition("-")
        if table in TABLES and TABLES[table].by_month:
            return cls(TABLES[table], Month.parse(month))
        raise KeyError(name)

    def rows(self) -> Iterator[Row]:
        """Its rows as they are now."""
        return self.table.rows(self.month)


def files(now: datetime) -> list[File]:
    """Every file that there should be: each table, and for those by month one since the first game."""
    first = (
        Game.objects.filter(status=Game.Status.FINISHED, finished_at__isnull=False)
        .order_by(F("finished_at").asc())
        .values_list("finished_at", flat=True)
        .first()
    )
    months: list[Month] = []
    month = Month.of(first) if first else None
    while month is not None and month.begins <= now:
        months.append(month)
        month = month.next
    return [
        File(table, month) for table in TABLES.values() for month in (months if table.by_month else (None,))
    ]


def newest() -> QuerySet[Dataset]:
    """The newest file of each name."""
    same = Dataset.objects.filter(name=OuterRef("name")).order_by("-made_at", "-pk").values("pk")
    return Dataset.objects.annotate(last=Subquery(same[:1])).filter(pk=F("last")).order_by("name")


def find(name: str) -> Dataset | None:
    """The newest file of a name."""
    return newest().filter(name=name).first()


def parts(dataset: Dataset) -> Iterator[bytes]:
    """The bytes of a file, piece by piece."""
    numbers = DatasetPart.objects.filter(dataset=dataset).order_by("number").values_list("number", flat=True)
    for number in list(numbers):
        yield bytes(DatasetPart.objects.values_list("data", flat=True).get(dataset=dataset, number=number))
