"""The readers of the environment."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from arena import env


def refusal(read: Callable[..., object], *arguments: Any, **more: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        read(*arguments, **more)
    return str(caught.value)


def test_what_does_not_do_is_quoted_with_what_was_expected(tmp_path: Path) -> None:
    assert refusal(env.text, "KEY", environ={"KEY": " "}) == "KEY must be set, but it is missing or empty."
    assert refusal(env.boolean, "X", False, environ={"X": "maybe"}).endswith("off, got 'maybe'.")
    assert refusal(env.some, "L", ("en", "fr"), "en", environ={"L": "fr,de"}).endswith("en, fr, got 'de'.")
    for word in ("0", "2.5", "257", "99999999999999999999", "²"):
        said = f"N: expected a whole number from 1 to 256, got {word!r}."
        assert refusal(env.integer, "N", 2, least=1, most=256, environ={"N": word}) == said
    (tmp_path / "file").touch()
    assert refusal(env.make_folder, tmp_path / "file/data", "DATA").endswith("Not a directory.")


def test_an_address_of_the_site_is_whole() -> None:
    assert env.site("X", "", environ={"X": "https://arena.example/"}) == "https://arena.example"
    for text in ("arena.example", "//arena.example", "ftp://arena.example", "https://", "http://h:x"):
        assert refusal(env.site, "CRAPETTE_URL", "", environ={"CRAPETTE_URL": text})


def test_the_first_caller_makes_a_secret_that_the_next_reads_and_only_the_owner_can(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret-key"
    first = env.kept_secret(path)
    assert len(first) >= 50
    assert env.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]
    path.write_text("short")
    said = f"{str(path)!r}: expected a secret of at least 50 characters; remove the file."
    assert refusal(env.kept_secret, path) == said


def test_a_postgresql_url_is_taken_apart() -> None:
    usual = {"options": "-c idle_in_transaction_session_timeout=30s"}
    assert env.database("postgresql://ann:p%40ss@db.example:5433/arena?sslmode=require") == {
        **{"ENGINE": "arena.web.database.postgresql", "NAME": "arena", "USER": "ann", "PASSWORD": "p@ss"},
        **{"HOST": "db.example", "PORT": "5433", "CONN_HEALTH_CHECKS": True},
        "OPTIONS": {**env.LINK, **usual, "sslmode": "require"},
    }
    # It may name the folder of a socket, and have session options of its own.
    entry = env.database("postgresql://arena@/arena?host=/run/postgresql")
    assert (entry["HOST"], entry["PORT"]) == ("/run/postgresql", "")
    entry = env.database("postgresql://arena@/arena?options=-c%20statement_timeout%3D9s")
    assert entry["OPTIONS"] == {**env.LINK, "options": "-c statement_timeout=9s"}
    entry = env.database("postgresql://arena@/arena?tcp_user_timeout=5000")
    assert entry["OPTIONS"]["tcp_user_timeout"] == "5000"


def test_an_url_that_does_not_do_is_refused_without_its_password() -> None:
    for url, words in (
        ("mysql://ann:secret@db/arena", "expected postgresql://… or sqlite:///…, got the scheme 'mysql'."),
        ("postgresql://ann:secret@db/", "expected the name of a database after the host, got none."),
        ("postgresql://ann:secret@db:port/arena", "Port could not be cast to integer value as 'port'."),
        ("sqlite:///arena.sqlite3", "expected an absolute path of an SQLite file, got 'arena.sqlite3'."),
    ):
        assert refusal(env.database, url) == f"DATABASE_URL: {words}"
    said = "REDIS_URL: expected redis://, rediss:// or unix://, got the scheme 'amqp'."
    assert refusal(env.redis, "amqp://ann:secret@broker") == said
