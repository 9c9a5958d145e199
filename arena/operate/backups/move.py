"""Carries a site from SQLite to PostgreSQL: row by row, resumable, and proved equal at the end.

Foreign keys are taken off the new tables first, since accounts, bots and versions point at one another, and
put back when every row is there; PostgreSQL examines them all then. Until that is done the database holds the
table `crapette_move`, which says how far the move is.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.conf import settings
from django.db import DataError, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql

from arena import env
from arena.operate.backups import KeepingError
from arena.operate.backups.audits import audits
from tournaments.models import RecordArchive

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model

STATE: Final = "crapette_move"
SOURCE: Final = "default"
TARGET: Final = "target"
ROWS: Final = 1_000
LARGE: Final = frozenset({"bots.Archive"})
LARGE_ROWS: Final = 4
"""Of a table with files in it, which may have tens of megabytes each."""
NUL: Final = "\x00"
REPLACEMENT: Final = "\ufffd"


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


def move_to(url: str, say: Callable[[str], object]) -> None:
    """Copy every row of this site to the PostgreSQL database of the URL. Raises KeepingError."""
    entry = env.database(url)
    source = connections[SOURCE]
    if source.vendor != "sqlite":
        raise KeepingError(f"This site is on {source.vendor} already. Only a site on SQLite can be moved.")
    if not entry["ENGINE"].endswith("postgresql"):
        raise KeepingError("Expected the URL of a PostgreSQL database, postgresql://….")
    if MigrationExecutor(source).migration_plan(MigrationExecutor(source).loader.graph.leaf_nodes()):
        raise KeepingError(
            "The site's database is of an earlier version. Start the site once, stop it, then move."
        )
    connections.databases[TARGET] = connections.configure_settings({"default": {}, TARGET: entry})[TARGET]
    try:
        target = Target(connections[TARGET])
        fingerprint = _fingerprint()
        if target.begun_from() != fingerprint:
            target.expect_empty()
            say("Making the tables …")
            _there(url, "manage.py", "migrate", "--noinput", "--verbosity", "0")
            target.begin(fingerprint, [model._meta.db_table for model in models()])
        else:
            say("Going on with a move that was interrupted.")
        _keep_times()
        for model in models():
            _copy(model, target, say)
        _compare(say)
        say("Putting the foreign keys back …")
        target.finish()
        _expect_equal_audits(url, say)
        files = RecordArchive.objects.filter(sealed_at__isnull=False).count()
        if files:
            say(
                f"The archive of old games ({files} files) stays where it is: keep CRAPETTE_ARCHIVES or"
                " its folder."
            )
    finally:
        connections[TARGET].close()
        del connections[TARGET]
        del connections.databases[TARGET]


def models() -> list[type[Model]]:
    """Every table of the site that is Django's to fill."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def _fingerprint() -> str:
    """Changes with every write to the source: a move goes on only where nothing was written since."""
    with connections[SOURCE].cursor() as cursor:
        cursor.execute("SELECT sum(number) FROM common_stamp")
        stamps = cursor.fetchone()[0]
    counts = [model._base_manager.using(SOURCE).count() for model in models()]
    return hashlib.sha256(json.dumps([stamps, counts]).encode()).hexdigest()


def _keep_times() -> None:
    """Let copied rows keep the times at which they were made and changed."""
    for model in models():
        for field in model._meta.local_fields:
            for flag in ("auto_now", "auto_now_add"):
                if getattr(field, flag, False):
                    setattr(field, flag, False)


def _copy(model: type[Model], target: Target, say: Callable[[str], object]) -> None:
    """Copy a table's rows in the order of their keys, each thousand in a transaction that notes the last."""
    table = model._meta.db_table
    copied = target.progress_of(table)
    rows = model._base_manager.using(SOURCE).order_by("pk")
    while True:
        last = copied.last
        batch = list((rows if last is None else rows.filter(pk__gt=last))[: _at_once(model)])
        if not batch:
            break
        try:
            _store(model, batch, target, copied.count)
        except DataError:
            # SQLite stores the character NUL in text, PostgreSQL does not.
            for row in batch:
                _without_nul(row)
            _store(model, batch, target, copied.count)
        copied = target.progress_of(table)
    if copied.count:
        say(f"  {table}: {copied.count} rows")


def _at_once(model: type[Model]) -> int:
    """How many rows of a table are held in memory at once."""
    return LARGE_ROWS if model._meta.label in LARGE else ROWS


def _store(model: type[Model], batch: list[Model], target: Target, before: int) -> None:
    with transaction.atomic(using=TARGET):
        model._base_manager.using(TARGET).bulk_create(batch)
        target.note(model._meta.db_table, batch[-1].pk, before + len(batch))


def _without_nul(row: Model) -> None:
    """Replace NUL in every text of a row."""
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        cleaned = _cleaned(value)
        if cleaned is not value:
            setattr(row, field.attname, cleaned)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(NUL, REPLACEMENT) if NUL in value else value
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(one) for key, one in value.items()}
    return value


def _compare(say: Callable[[str], object]) -> None:
    """Read every row from both databases and compare digests. Raises KeepingError."""
    rows = 0
    for model in models():
        here, there = (_digest(model, alias) for alias in (SOURCE, TARGET))
        if here != there:
            raise KeepingError(
                f"The table {model._meta.db_table} is not the same: {here[0]} rows here, {there[0]} there."
                " Was something written meanwhile? Empty the new database and move again."
            )
        rows += here[0]
    say(f"All {rows} rows are the same in both databases.")


def _digest(model: type[Model], alias: str) -> tuple[int, int]:
    """How many rows a table has, and the sum of their hashes: databases sort texts each in its own way."""
    names = [field.attname for field in model._meta.concrete_fields]
    count, total = 0, 0
    for row in model._base_manager.using(alias).values_list(*names).iterator(chunk_size=_at_once(model)):
        line = repr([_plain(value) for value in row]).encode()
        total = (total + int.from_bytes(hashlib.sha256(line).digest())) % (1 << 256)
        count += 1
    return count, total


def _plain(value: Any) -> Any:
    """A value in one form for both databases."""
    if isinstance(value, memoryview):
        return bytes(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict | list):
        return json.dumps(_numbers(_cleaned(value)), sort_keys=True)
    return _cleaned(value)


def _numbers(value: Any) -> Any:
    """JSON with whole numbers as such: PostgreSQL does not keep how a number was written."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_numbers(one) for one in value]
    if isinstance(value, dict):
        return {key: _numbers(one) for key, one in value.items()}
    return value


def _expect_equal_audits(url: str, say: Callable[[str], object]) -> None:
    """Have both databases audited. Raises KeepingError if the audits differ."""
    here = audits()
    there = json.loads(_there(url, "-m", "arena.operate.backups.audits"))
    if here != there:
        raise KeepingError(f"The audits differ: {here} here, {there} there. Do not use the new database.")
    differences = sum(len(one) for one in here.values())
    say(f"The audits of both agree: {len(here)} boards, {differences} differences.")


def _there(url: str, *words: str) -> str:
    """What a program of the site prints on the new database. Migrations know only the site's own database."""
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, *words]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise KeepingError(f"The new database cannot be used: {done.stderr.strip()[-500:]}")
    return done.stdout
