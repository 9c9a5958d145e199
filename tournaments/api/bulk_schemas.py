"""Files of public data, and the data dictionary."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from arena.api.schemas.common import Schema

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
