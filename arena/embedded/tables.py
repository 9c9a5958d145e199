"""The tables of a new SQLite database, made all at once.

Django works out every model again for each migration it applies: about half of the time a first start takes.
`tables.sql` holds what the migrations leave in an empty database, and which migrations those are. Any that
were added since are applied to it as to any other database.

`./crapette tables` writes the file, and a test fails while it differs from what the migrations do.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE: Final = Path(__file__).with_name("tables.sql")


def make_tables() -> int:
    """Make the tables if there are none; returns how many migrations that did, 0 if there was anything."""
    if connection.vendor != "sqlite" or connection.introspection.table_names():
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.introspection.table_names(cursor):
            return 0  # somebody else was first
        for statement in statements(FILE.read_text(encoding="utf-8")):
            cursor.execute(statement)
        cursor.execute("SELECT count(*) FROM django_migrations")
        (made,) = cursor.fetchone()
    return int(made)


def statements(script: str) -> Iterator[str]:
    """The statements of a script, one after the other. Each ends at the end of a line."""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            yield "\n".join(lines)
            lines.clear()
