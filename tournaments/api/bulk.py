"""Downloads: records of many games as JSON lines, and tables of public data as Parquet.

Records are compressed as they are read. Tables are made beforehand by an analysis process.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import zstandard
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from ninja import Path, Query, Router
from pydantic import Field

from arena.api.bearer import Caller
from arena.api.limits import BULK, Held, downloads
from arena.api.operations import route
from arena.api.schemas.common import Schema, Slug
from tournaments.api.games import GameFilter, GamesOf, wanted_games, wanted_when
from tournaments.api.tournaments import find
from tournaments.games import public_data
from tournaments.games.bundles import tournament_lines
from tournaments.games.public_data import TABLES, File, Month
from tournaments.games.records import month_lines, record_lines
from tournaments.questions.event_ratings import asked_by
from tournaments.questions.responses import asker

if TYPE_CHECKING:
    from tournaments.games.public_data import DataTable, File
    from tournaments.models import Dataset


class DatasetOut(Schema):
    """A Parquet file of public data."""

    name: str = Field(examples=["games-2026-05"])
    table: str = Field(examples=["games"])
    month: str | None = Field(description="In UTC; null if it is not by month.", examples=["2026-05"])
    description: str = Field(examples=["Finished games, one row each."])
    made_at: datetime = Field(description="It shows the arena as it was then.")
    rows: int = Field(examples=[51234])
    size: int = Field(description="In bytes.", examples=[1834221])
    sha256: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    url: str = Field(examples=["/api/v1/datasets/games-2026-05.parquet"])


class Datasets(Schema):
    """The files that are there."""

    items: list[DatasetOut]


class ColumnOut(Schema):
    """A column of a table."""

    name: str = Field(examples=["plies"])
    kind: str = Field(description="Times are in UTC, to the microsecond.", examples=["int32"])
    nullable: bool = Field(examples=[False])
    description: str = Field(examples=["Moves made; in `vitesse`, ticks."])


class TableOut(Schema):
    """A table of public data."""

    table: str = Field(examples=["games"])
    description: str = Field(examples=["Finished games, one row each."])
    by_month: bool = Field(description="Whether each month has a file of its own.", examples=[True])
    columns: list[ColumnOut]


class Dictionary(Schema):
    """Every table with its columns."""

    items: list[TableOut]


def dataset_out(dataset: Dataset, file: File) -> dict[str, Any]:
    """A file that can be downloaded."""
    return {
        "name": dataset.name,
        "table": file.table.name,
        "month": str(file.month) if file.month else None,
        "description": file.table.meaning,
        "made_at": dataset.made_at,
        "rows": dataset.rows,
        "size": dataset.size,
        "sha256": dataset.sha256,
        "url": f"/api/v1/datasets/{dataset.name}.parquet",
    }


def table_out(table: DataTable) -> dict[str, Any]:
    """A table of the data dictionary."""
    return {
        "table": table.name,
        "description": table.meaning,
        "by_month": table.by_month,
        "columns": [
            {"name": one.name, "kind": one.kind, "nullable": one.nullable, "description": one.meaning}
            for one in table.columns
        ],
    }


router = Router()
BLOCK = 256 << 10
"""Bytes that are put together before they are sent."""
LEVEL = 6
ZSTD_TYPE = "application/zstd"
PARQUET_TYPE = "application/vnd.apache.parquet"
BYTES = {"schema": {"type": "string", "format": "binary"}}
ZSTD = {ZSTD_TYPE: BYTES}
PARQUET = {PARQUET_TYPE: BYTES}
MonthName = Annotated[str, Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$", examples=["2026-05"])]
FileName = Annotated[
    str, Field(pattern=r"^[a-z][-a-z0-9]{1,39}$", examples=["ratings"], description="`name` in the list.")
]
if TYPE_CHECKING:
    TableName = str
else:
    TableName = Literal[tuple(TABLES)]


@route(router, "GET", "tournaments/{slug}/games.jsonl.zst", media=ZSTD, cost=BULK)
def download_tournament(request: HttpRequest, slug: Path[Slug]) -> Held:
    """All of a tournament: entrants, commitments, pairs, records, standings, ratings.

    JSON lines, compressed with Zstandard. Unpacked, it is what `crapette verify` checks. For some of its
    games alone, ask for `games/records.jsonl.zst` with the filter `tournament`.
    """
    caller: Caller = request.auth  # type: ignore[attr-defined]
    lines = tournament_lines(find(slug), asked_by(asker(caller.user, caller.address)))
    return _lines(request, lines, f"{slug}.jsonl.zst")


@route(router, "GET", "months/{month}/games.jsonl.zst", media=ZSTD, cost=BULK)
def download_month(request: HttpRequest, month: Path[MonthName], filters: Query[GamesOf]) -> Held:
    """The games that finished in a month (UTC), in the order they finished.

    JSON lines, compressed with Zstandard; each is a game's record. Voided games are left out.
    """
    return _lines(request, month_lines(Month.parse(month), wanted_games(filters)), f"games-{month}.jsonl.zst")


@route(router, "GET", "games/records.jsonl.zst", media=ZSTD, cost=BULK, refuses=(404,))
def download_records(request: HttpRequest, filters: Query[GameFilter]) -> Held:
    """The records of finished games, narrowed as in the list of games, in the order they finished.

    JSON lines, compressed with Zstandard; each is a game's record.
    """
    return _lines(request, record_lines(wanted_when(filters)), "games.jsonl.zst")


@route(router, "GET", "datasets/", Datasets)
def list_datasets(
    request: HttpRequest,
    table: TableName | None = Query(None, description="Only files of this table."),
    month: MonthName | None = Query(None, description="Only files of this month."),
) -> dict[str, Any]:
    """Tables of public data as Parquet files: each with its size, its age and its digest.

    The first are made within the hour after the first game, and made again about every 20 hours; those of a
    month that is over, every 30 days.
    """
    found = [(one, File.find(one.name)) for one in public_data.newest()]
    return {
        "items": [
            dataset_out(one, file)
            for one, file in found
            if table in (None, file.table.name) and month in (None, str(file.month))
        ]
    }


@route(router, "GET", "datasets/dictionary/", Dictionary)
def get_dictionary(request: HttpRequest) -> dict[str, Any]:
    """The data dictionary: what each column of each table means."""
    return {"items": [table_out(table) for table in TABLES.values()]}


@route(router, "GET", "datasets/{name}.parquet", media=PARQUET, cost=BULK)
def download_dataset(request: HttpRequest, name: Path[FileName]) -> Held | HttpResponse:
    """A table of public data, or a month of it, as a Parquet file.

    The meaning of its columns is in its metadata as well.
    """
    found = public_data.find(name)
    if found is None:
        raise Http404(f"Expected the name of a file in the list, got {name!r}.")
    etag = f'"{found.sha256[:32]}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    answer = _held(_counted(request), public_data.parts(found), PARQUET_TYPE, f"{name}.parquet")
    answer["ETag"], answer["Content-Length"] = etag, str(found.size)
    return answer


def _lines(request: HttpRequest, lines: Iterator[bytes], name: str) -> Held:
    """Lines, compressed. A 404 if there are none."""
    held = _counted(request)
    try:
        first = next(lines)
    except BaseException as error:
        downloads.close(held)
        if isinstance(error, StopIteration):
            raise Http404("Expected games, got none.") from None
        raise
    answer = _held(held, _compressed(first, lines), ZSTD_TYPE, name)
    answer["Cache-Control"] = "no-store"
    return answer


def _counted(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    """Count one more download, before anything is read for it. Raises TooMany."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return downloads.open(caller.account, caller.address)


def _held(held: tuple[tuple[str, str], ...], data: Iterator[bytes], kind: str, name: str) -> Held:
    """A download, counted as long as it lasts."""
    response = Held(data, content_type=kind)
    response.when_closed(lambda: downloads.close(held))
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _compressed(first: bytes, lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in compressed blocks."""
    packer = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    waiting = [packer.compress(first)]
    size = len(waiting[0])
    for line in lines:
        waiting.append(packer.compress(line))
        size += len(waiting[-1])
        if size >= BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join((*waiting, packer.flush()))
