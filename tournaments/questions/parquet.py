"""Packs a table of public data as a Parquet file. Never imported where pages are served."""

from __future__ import annotations

import hashlib
import json
import tempfile
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Final

from arro3 import core
from arro3.io import write_parquet
from django.db import transaction

from arena.web.database import database_clock
from tournaments.games.public_data import File
from tournaments.models import Dataset, DatasetPart
from tournaments.questions.question_types import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.games.public_data import DataColumn, DataTable, Row
    from tournaments.questions.question_types import Arguments

PART: Final = 1 << 20
ROWS: Final = 20_000
"""Rows that are put together at a time."""
IN_MEMORY: Final = 8 << 20
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
KEPT: Final = 2
"""Files of a name: the newest, and the one before for whoever is downloading it."""
COMPRESSION: Final = "zstd(6)"
TYPES: Final = {
    "text": core.DataType.utf8(),
    "int8": core.DataType.int8(),
    "int32": core.DataType.int32(),
    "int64": core.DataType.int64(),
    "float64": core.DataType.float64(),
    "boolean": core.DataType.bool(),
    "time": core.DataType.timestamp("us", tz="UTC"),
}


def pack(arguments: Arguments) -> None:
    """Make the file of this name and store it."""
    try:
        file = File.find(arguments["name"])
    except (KeyError, ValueError):
        raise Gone("There is no such table.") from None
    made_at = database_clock.now()
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as out:
        rows = write(file, out)
        _store(file.name, out, rows, made_at)


def write(file: File, out: IO[bytes]) -> int:
    """Write a file's rows as Parquet and return how many there are. The metadata says what they mean."""
    schema = core.Schema([_field(column) for column in file.table.columns])
    counted = _Counted(file.rows())
    batches = core.RecordBatchReader.from_batches(schema, _batches(file.table, schema, counted))
    meanings = {column.name: column.meaning for column in file.table.columns}
    write_parquet(
        batches,
        out,
        compression=COMPRESSION,
        key_value_metadata={"description": file.table.meaning, "dictionary": json.dumps(meanings)},
    )
    return counted.rows


class _Counted:
    """Rows, which are counted as they pass."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._given = rows
        self.rows = 0

    def take(self, most: int) -> list[Row]:
        """The next rows."""
        found = list(islice(self._given, most))
        self.rows += len(found)
        return found


def _field(column: DataColumn) -> core.Field:
    return core.Field(
        column.name, TYPES[column.kind], nullable=column.nullable, metadata={"description": column.meaning}
    )


def _batches(table: DataTable, schema: core.Schema, counted: _Counted) -> Iterator[core.RecordBatch]:
    while rows := counted.take(ROWS):
        columns = [_array(column, [row[index] for row in rows]) for index, column in enumerate(table.columns)]
        yield core.RecordBatch.from_arrays(columns, schema=schema)


def _array(column: DataColumn, values: Sequence[Any]) -> core.Array:
    kind = TYPES[column.kind]
    if column.kind == "time":
        # Arrays of times are made from microseconds since 1970.
        return core.Array([_micros(one) for one in values], core.DataType.int64()).cast(kind)
    return core.Array(list(values), kind)


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - EPOCH) // MICROSECOND


def _store(name: str, out: IO[bytes], rows: int, made_at: datetime) -> None:
    """Put the bytes into the database, from which every host serves them."""
    digest, size, number = hashlib.sha256(), 0, 0
    with transaction.atomic():
        made = Dataset.objects.create(name=name, made_at=made_at, rows=rows, size=0, sha256="")
        out.seek(0)
        while data := out.read(PART):
            DatasetPart.objects.create(dataset=made, number=number, data=data)
            digest.update(data)
            size, number = size + len(data), number + 1
        Dataset.objects.filter(pk=made.pk).update(size=size, sha256=digest.hexdigest())
        same = Dataset.objects.filter(name=name).order_by("-made_at", "-pk").values_list("pk", flat=True)
        Dataset.objects.filter(pk__in=list(same[KEPT:])).delete()
