"""The tables of public data as a document: what they are, how to get them, and what each column means."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tournaments.games.public_data import TABLES

if TYPE_CHECKING:
    from tournaments.games.public_data import DataTable

INTRODUCTION: Final = """\
# Public data

Everything the arena shows of games, ratings, versions and tournaments, as \
[Parquet](https://parquet.apache.org) files that pandas, Polars, DuckDB or R read. Games and seats have a \
file for each month, by when a game finished (UTC).

The first files are made within the hour after the first game, and made again about every 20 hours; those of \
a month that is over, every 30 days, as a pair \
may be voided later. `/api/v1/datasets/` lists them with their size, their age and their SHA-256. For \
example, with DuckDB:

```sql
SELECT bot, count(*) AS games, avg((place = 1)::int) AS won
FROM 'https://SITE/api/v1/datasets/seats-2026-05.parquet' GROUP BY bot ORDER BY won DESC;
```

The moves are in the records: all games of a month, a tournament or a bot can be downloaded as compressed \
JSON lines ([API reference](/api/docs#download-records)).
"""


@cache
def dictionary_document() -> str:
    """The data dictionary, as Markdown."""
    return "\n\n".join([INTRODUCTION, *(_described(table) for table in TABLES.values())])


def _described(table: DataTable) -> str:
    name = f"{table.name}-YYYY-MM" if table.by_month else table.name
    rows = [
        f"| `{one.name}` | {one.kind}{', may be null' if one.nullable else ''} | {one.meaning} |"
        for one in table.columns
    ]
    head = ["| column | kind | meaning |", "|---|---|---|"]
    return "\n".join([f"## {table.name}", "", f"{table.meaning} File: `{name}.parquet`.", "", *head, *rows])
