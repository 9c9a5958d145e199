"""Stamps: has a table been written to since a page was made of it?

Triggers in the database count every statement that changes a table, whoever wrote it: a service, the admin,
a command, a person with a database shell. They count in the writing transaction, so whoever sees the new
rows sees the new stamp. In PostgreSQL a transaction takes any row of the topic that no other one holds, and
adds one if all are held: nobody waits for a stamp, and no two transactions can block each other by it.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import connection, connections

from arena.web.models import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

APPS: Final = ("accounts", "bots", "friendlies", "puzzles", "series", "tournaments")
UNWATCHED: Final = frozenset({"tournaments_attempt", "tournaments_eventbatch", "tournaments_friendly"})
"""Tables written to all the time while games are played. Pages that read them cannot be shared."""
UNSHOWN: Final = {
    "bots_remotepresence": frozenset({"seen_at", "bytes_in", "bytes_out"}),
    "tournaments_tournament": frozenset({"served_at"}),
}
"""Columns, by table, that no page shows and that are written with every game. An update of these alone
changes no stamp."""
STAMPS: Final = Stamp._meta.db_table
PREFIX: Final = "stamp_"

FUNCTION: Final = f"""
CREATE OR REPLACE FUNCTION {PREFIX}touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE {STAMPS} SET number = number + 1 WHERE id = (
        SELECT id FROM {STAMPS} WHERE topic = TG_TABLE_NAME ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO {STAMPS} (topic, number) VALUES (TG_TABLE_NAME, 1);
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 (our own names)


_now: ContextVar[dict[str, int] | None] = ContextVar("stamps_now", default=None)
_open: ContextVar[tuple[set[str], ...]] = ContextVar("stamps_open", default=())


def watched_tables() -> frozenset[str]:
    """The tables that have stamps."""
    return _tables() - UNWATCHED


@cache
def _tables() -> frozenset[str]:
    """All of our tables."""
    return frozenset(
        model._meta.db_table
        for label in APPS
        for model in apps.get_app_config(label).get_models(include_auto_created=True)
    )


def read() -> dict[str, int]:
    """The stamps of all tables now, in one query. Each only ever grows."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT topic, SUM(number) FROM {STAMPS} GROUP BY topic")  # noqa: S608 (our own name)
        return {topic: int(number) for topic, number in cursor.fetchall()}


def of_page() -> dict[str, int] | None:
    """The stamps that the page being made began with, or None outside of one."""
    return _now.get()


def total(tables: Iterable[str], at: Mapping[str, int]) -> int:
    """The sum of the stamps of some tables: it is the same only while none of them has changed."""
    return sum(at.get(table, -1) for table in tables)


@contextmanager
def page_begins(at: dict[str, int]) -> Iterator[None]:
    """Within the block, a page is made that began with these stamps."""
    token = _now.set(at)
    try:
        yield
    finally:
        _now.reset(token)


def also_read(tables: Iterable[str]) -> None:
    """Note that what is being made depends on these tables, too, although no query named them now."""
    for found in _open.get():
        found.update(tables)


@contextmanager
def tables_read() -> Iterator[set[str]]:
    """Yield a set that, at the end of the block, holds each of our tables that its queries named."""
    found: set[str] = set()

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        found.update(_named(sql))
        return execute(sql, params, many, context)

    token = _open.set((*_open.get(), found))
    try:
        with connection.execute_wrapper(note):
            yield found
    finally:
        _open.reset(token)


@cache
def _words() -> re.Pattern[str]:
    names = sorted(_tables(), key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")


def _named(sql: str) -> set[str]:
    return set(_words().findall(sql))


def install(using: str) -> None:
    """Make the triggers that are missing, and a first stamp for every table without one.

    Runs after every migration, as SQLite drops a table's triggers where Django makes the table again. A
    trigger that names columns is made again, under another name, when the table has others.
    """
    link = connections[using]
    with link.cursor() as cursor:
        present = set(link.introspection.table_names(cursor))
        if STAMPS not in present:
            return
        made = _triggers(link)
        if link.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for table in sorted(watched_tables() & present):
            wanted = _statements(link, cursor, table)
            for name in sorted(made.get(table, set()) - wanted.keys()):
                on = f' ON "{table}"' if link.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER {name}{on}")
            for name in sorted(wanted.keys() - made.get(table, set())):
                cursor.execute(wanted[name])
        cursor.execute(f"SELECT DISTINCT topic FROM {STAMPS}")  # noqa: S608
        known = {topic for (topic,) in cursor.fetchall()}
        for table in sorted((watched_tables() & present) - known):
            cursor.execute(f"INSERT INTO {STAMPS} (topic, number) VALUES (%s, 0)", [table])  # noqa: S608


def _triggers(link: BaseDatabaseWrapper) -> dict[str, set[str]]:
    """The names of our triggers that are there, by table."""
    lists = {
        "sqlite": "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal",
    }
    found: dict[str, set[str]] = {}
    with link.cursor() as cursor:
        cursor.execute(lists[link.vendor])
        for table, name in cursor.fetchall():
            if name.startswith(PREFIX):
                found.setdefault(table, set()).add(name)
    return found


def _statements(link: BaseDatabaseWrapper, cursor: CursorWrapper, table: str) -> dict[str, str]:
    """The statement of each trigger of a table, by its name."""
    of, mark = "", ""
    if unshown := UNSHOWN.get(table):
        columns = sorted(
            {one.name for one in link.introspection.get_table_description(cursor, table)} - unshown
        )
        of = " OF " + ", ".join(f'"{column}"' for column in columns)
        mark = "_" + hashlib.sha256(of.encode()).hexdigest()[:8]
    if link.vendor == "postgresql":
        name = f"{PREFIX}{table}{mark}"
        return {
            name: f'CREATE TRIGGER {name} AFTER INSERT OR UPDATE{of} OR DELETE OR TRUNCATE ON "{table}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}touch()"
        }
    events = {"insert": "INSERT", f"update{mark}": f"UPDATE{of}", "delete": "DELETE"}
    return {
        f"{PREFIX}{table}_{what}": f'CREATE TRIGGER {PREFIX}{table}_{what} AFTER {event} ON "{table}" '  # noqa: S608
        f"BEGIN UPDATE {STAMPS} SET number = number + 1 WHERE topic = '{table}'; END"
        for what, event in events.items()
    }
