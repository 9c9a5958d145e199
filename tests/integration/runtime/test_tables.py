"""A first start creates the tables from the models; the migrations leave the same."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

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
