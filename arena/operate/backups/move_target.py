"""The new database of a move, and how far the move is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from psycopg import sql

from arena.operate.backups import KeepingError

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

STATE: Final = "crapette_move"


@dataclass(frozen=True, slots=True)
class Copied:
    """How far a table is: rows, and the key of the last."""

    count: int
    last: Any


class Target:
    """A PostgreSQL database that a site is moved to."""

    def __init__(self, link: BaseDatabaseWrapper) -> None:
        self._link = link

    def begun_from(self) -> str:
        """The fingerprint of the site whose move was begun here, or nothing."""
        with self._link.cursor() as cursor:
            if STATE not in self._link.introspection.table_names(cursor):
                return ""
            cursor.execute(f"SELECT value FROM {STATE} WHERE name = 'fingerprint'")  # noqa: S608
            row = cursor.fetchone()
        return str(json.loads(row[0])) if row else ""

    def expect_empty(self) -> None:
        """Raise KeepingError unless the database has no table."""
        tables = self._link.introspection.table_names()
        if STATE in tables:
            raise KeepingError(
                "A move was begun here, and the site has changed since. Empty this database and move again."
            )
        if tables:
            raise KeepingError(f"Expected an empty database, but it has {len(tables)} tables.")

    def begin(self, fingerprint: str, tables: list[str]) -> None:
        """Empty the tables, and take foreign keys and triggers off; all of it or nothing."""
        with transaction.atomic(using=self._link.alias), self._link.cursor() as cursor:
            cursor.execute(
                "SELECT c.conname, t.relname, pg_get_constraintdef(c.oid) FROM pg_constraint c"
                " JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace"
                " WHERE c.contype = 'f' AND n.nspname = 'public'"
            )
            keys = cursor.fetchall()
            for name, table, _ in keys:
                cursor.execute(
                    sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(
                        sql.Identifier(table), sql.Identifier(name)
                    )
                )
            for table in tables:
                cursor.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(table)))
            # After the triggers: they count what is written, and would count this.
            names = sql.SQL(", ").join(map(sql.Identifier, tables))
            cursor.execute(sql.SQL("TRUNCATE {} CASCADE").format(names))
            cursor.execute(f"CREATE TABLE {STATE} (name text PRIMARY KEY, value text NOT NULL)")
            self._put(cursor, "fingerprint", fingerprint)
            self._put(cursor, "keys", [list(key) for key in keys])
            self._put(cursor, "tables", tables)

    def progress_of(self, table: str) -> Copied:
        """How far a table is."""
        found = self._get(f"copied {table}")
        return Copied(found[0], found[1]) if found else Copied(0, None)

    def note(self, table: str, last: Any, count: int) -> None:
        """Note how far a table is, in the transaction that stored the rows."""
        with self._link.cursor() as cursor:
            self._put(cursor, f"copied {table}", [count, last if isinstance(last, int) else str(last)])

    def finish(self) -> None:
        """Put foreign keys and triggers back and set the sequences; all of it or nothing."""
        keys, tables = self._get("keys"), self._get("tables")
        with transaction.atomic(using=self._link.alias), self._link.cursor() as cursor:
            for name, table, definition in keys:
                cursor.execute(
                    sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} {}").format(
                        sql.Identifier(table), sql.Identifier(name), sql.SQL(definition)
                    )
                )
            # Checks that wait for the end of the transaction would forbid what comes next.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in tables:
                cursor.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(sql.Identifier(table)))
            cursor.execute(
                "SELECT t.relname, a.attname, pg_get_serial_sequence(quote_ident(t.relname), a.attname)"
                " FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid"
                " JOIN pg_namespace n ON n.oid = t.relnamespace"
                " WHERE t.relkind = 'r' AND n.nspname = 'public' AND a.attidentity <> ''"
            )
            for table, column, sequence in cursor.fetchall():
                cursor.execute(
                    sql.SQL("SELECT setval({}, greatest((SELECT max({}) FROM {}), 1))").format(
                        sql.Literal(sequence), sql.Identifier(column), sql.Identifier(table)
                    )
                )
            cursor.execute(f"DROP TABLE {STATE}")

    def _get(self, name: str) -> Any:
        with self._link.cursor() as cursor:
            cursor.execute(f"SELECT value FROM {STATE} WHERE name = %s", [name])  # noqa: S608
            row = cursor.fetchone()
        return json.loads(row[0]) if row else None

    @staticmethod
    def _put(cursor: Any, name: str, value: Any) -> None:
        cursor.execute(
            f"INSERT INTO {STATE} (name, value) VALUES (%s, %s)"  # noqa: S608
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [name, json.dumps(value)],
        )
