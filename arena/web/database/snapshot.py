"""Lets several queries see the database at the same moment, whatever is written in between."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def consistent_reads() -> Iterator[None]:
    """Let all queries in the block see the same moment. Only read in it, and be quick.

    PostgreSQL gives such a view at REPEATABLE READ. SQLite gives it to any transaction, but ours begin by
    taking the write lock (`arena.env.sqlite`), which a reader must not hold: this one begins without it.
    Inside a transaction that is open already, that transaction's own view counts.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        connection.ensure_connection()  # which sets the mode, and would set it again in the block
        mode = connection.transaction_mode  # type: ignore[attr-defined]  # SQLite's backend has it
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
        try:
            with transaction.atomic():
                connection.transaction_mode = mode  # type: ignore[attr-defined]
                yield
        finally:
            connection.transaction_mode = mode  # type: ignore[attr-defined]
