"""The tables of a first start, reads at one moment, and connections that were lost."""

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.backends.postgresql import base
from django.test import TransactionTestCase
from pytest_django.plugin import DjangoDbBlocker

from arena import env
from arena.web.database.postgresql.base import DatabaseWrapper
from arena.web.database.snapshot import consistent_reads
from tests.emptying import KEPT, empty
from tests.factories.accounts import author
from tests.factories.tournaments import entrants, running
from tests.site import ROOT, clean_environment

START = "from arena.run.embedded import preparation; print(preparation.migrate())"
SHELL = ("manage.py", "shell", "--no-imports", "-c", START)
ROWS = (
    "SELECT app, name FROM django_migrations",
    "SELECT app_label, codename FROM auth_permission AS one JOIN django_content_type AS type"
    " ON type.id = one.content_type_id",
    "SELECT topic, number FROM common_stamp",
)


def run(data: Path, *words: str) -> str:
    """What a command says that runs with a data folder."""
    environment = {**clean_environment(), "CRAPETTE_DATA": str(data)}
    return subprocess.check_output([sys.executable, *words], cwd=ROOT, env=environment, text=True).strip()


def content(data: Path) -> dict[str, set[object]]:
    """The tables, indexes and triggers of a database, and the rows that a new one has.

    The columns of a table are compared in no order: a migration adds a column at the end.
    """
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        made = database.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE sql NOT NULL").fetchall()
        schema = {
            (table, name, frozenset(sql.removesuffix(")").split("(", 1)[-1].split(", ")))
            for table, name, sql in made
        }
        return {"schema": schema, **{query: set(database.execute(query)) for query in ROWS}}


def test_a_first_start_makes_what_the_migrations_make(tmp_path: Path) -> None:
    first, migrated = tmp_path / "first", tmp_path / "migrated"
    assert run(first, *SHELL) == "sqlite, tables created"
    run(migrated, "manage.py", "migrate", "--no-input")
    assert content(first) == content(migrated)


BEGINS = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


def first_statement(*, asked_before: bool) -> str:
    """What a consistent read begins with in a thread whose connection is closed, or was never open."""
    said: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        said.append(sql)
        return execute(sql, *rest)

    try:
        if asked_before:
            connection.ensure_connection()
            connection.close()
        with connection.execute_wrapper(note), consistent_reads(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return said[0]
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("asked_before", [False, True])
def test_a_consistent_read_may_be_the_first_of_its_thread_and_takes_no_write_lock(asked_before: bool) -> None:
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(first_statement, asked_before=asked_before).result()
    assert found == BEGINS[connection.vendor]


@pytest.mark.django_db(transaction=True)
def test_a_test_that_committed_leaves_only_what_migrations_make() -> None:
    made = ContentType.objects.count(), Permission.objects.count()
    ada = author("ada")
    running(ada, entrants(ada, 3))

    empty(TransactionTestCase())

    models = [model for model in apps.get_models() if model._meta.db_table not in KEPT]
    assert [model for model in models if model._default_manager.exists()] == []
    assert min(made) > 0
    assert (ContentType.objects.count(), Permission.objects.count()) == made


DEFAULTS = {
    "ATOMIC_REQUESTS": False,
    "AUTOCOMMIT": True,
    "CONN_MAX_AGE": None,
    "TIME_ZONE": None,
    "TEST": {"NAME": None},
}


def test_a_connection_is_asked_only_after_an_error_and_a_closed_one_is_noticed(
    postgresql_url: str, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = DatabaseWrapper(DEFAULTS | env.database(postgresql_url), "other")
    asked: list[bool] = []
    ask = base.DatabaseWrapper.is_usable

    def noted(self: base.DatabaseWrapper) -> bool:
        asked.append(ask(self))
        return asked[-1]

    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", noted)
    with django_db_blocker.unblock():
        try:
            link.connect()
            assert link.is_usable()
            assert asked == []
            link.errors_occurred = True
            assert link.is_usable()
            assert asked == [True]
            link.errors_occurred = False
            with psycopg.connect(postgresql_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [link.connection.info.backend_pid])
            deadline = time.monotonic() + 30
            while link.is_usable() and time.monotonic() < deadline:
                time.sleep(0.05)
            assert not link.is_usable()
        finally:
            link.close()
