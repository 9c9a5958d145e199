"""The readers of the environment."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from arena import env


def test_a_text_is_read_without_surrounding_spaces() -> None:
    assert env.text("X", environ={"X": "  arena.example "}) == "arena.example"


def test_a_text_that_must_be_set_says_so_when_it_is_empty() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.text("CRAPETTE_SECRET_KEY", environ={"CRAPETTE_SECRET_KEY": " "})
    assert str(caught.value) == "CRAPETTE_SECRET_KEY must be set, but it is missing or empty."


def test_a_choice_outside_its_options_is_quoted() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.choice("CRAPETTE_MODE", ("embedded", "production"), environ={"CRAPETTE_MODE": "prod"})
    assert str(caught.value) == "CRAPETTE_MODE: expected one of embedded, production, got 'prod'."


@pytest.mark.parametrize(("word", "value"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)])
def test_a_yes_or_no_is_read_in_its_usual_words(word: str, value: bool) -> None:
    assert env.boolean("X", not value, environ={"X": word}) is value


def test_a_yes_or_no_in_another_word_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.boolean("X", False, environ={"X": "maybe"})
    assert str(caught.value) == "X: expected one of 1, true, yes, on, 0, false, no, off, got 'maybe'."


@pytest.mark.parametrize("word", ["0", "-1", "2.5", "two", "257", "99999999999999999999", "²"])
def test_a_number_outside_its_bounds_is_refused(word: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.integer("N", 2, least=1, most=256, environ={"N": word})
    assert str(caught.value) == f"N: expected a whole number from 1 to 256, got {word!r}."


def test_words_are_separated_by_commas() -> None:
    assert env.words("HOSTS", environ={"HOSTS": "a.example, b.example,"}) == ["a.example", "b.example"]


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ImproperlyConfigured) as caught:
        env.folder("CRAPETTE_DATA", tmp_path, environ={"CRAPETTE_DATA": str(file)})
    assert str(caught.value) == f"CRAPETTE_DATA: expected a folder, but {str(file)!r} is something else."


def test_the_first_caller_makes_a_secret_that_the_next_reads_and_only_the_owner_can(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret-key"
    first = env.kept_secret(path)
    assert len(first) >= 50
    assert env.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]


def test_a_secret_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    path.write_text("short")
    with pytest.raises(ImproperlyConfigured) as caught:
        env.kept_secret(path)
    assert (
        str(caught.value) == f"{str(path)!r}: expected a secret of at least 50 characters; remove the file."
    )


def test_a_postgresql_url_is_taken_apart() -> None:
    entry = env.database("postgresql://ann:p%40ss@db.example:5433/arena?sslmode=require")
    assert entry == {
        "ENGINE": "arena.web.database.postgresql",
        "NAME": "arena",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **env.LINK,
            "options": "-c idle_in_transaction_session_timeout=30s",
            "sslmode": "require",
        },
    }


def test_a_postgresql_url_may_name_the_folder_of_a_socket() -> None:
    entry = env.database("postgresql://arena@/arena?host=/run/postgresql")
    assert (entry["HOST"], entry["PORT"]) == ("/run/postgresql", "")


def test_a_postgresql_url_may_have_session_options_of_its_own() -> None:
    entry = env.database("postgresql://arena@/arena?options=-c%20statement_timeout%3D9s")
    assert entry["OPTIONS"] == {**env.LINK, "options": "-c statement_timeout=9s"}
    entry = env.database("postgresql://arena@/arena?tcp_user_timeout=5000")
    assert entry["OPTIONS"]["tcp_user_timeout"] == "5000"


def test_an_sqlite_url_gets_the_settings_for_several_writers() -> None:
    entry = env.database("sqlite:////srv/arena.sqlite3")
    assert entry["NAME"] == "/srv/arena.sqlite3"
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://ann:secret@db/arena", "expected postgresql://… or sqlite:///…, got the scheme 'mysql'."),
        ("postgresql://ann:secret@db/", "expected the name of a database after the host, got none."),
        ("postgresql://ann:secret@db:port/arena", "Port could not be cast to integer value as 'port'."),
        ("sqlite:///arena.sqlite3", "expected an absolute path of an SQLite file, got 'arena.sqlite3'."),
    ],
)
def test_a_database_url_that_does_not_do_is_refused_without_its_password(url: str, words: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.database(url)
    assert str(caught.value) == f"DATABASE_URL: {words}"


def test_a_redis_url_of_another_kind_is_refused_without_its_password() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.redis("amqp://ann:secret@broker")
    assert str(caught.value) == "REDIS_URL: expected redis://, rediss:// or unix://, got the scheme 'amqp'."


def test_a_folder_that_cannot_be_made_is_named_with_the_variable_that_chose_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured) as caught:
        env.make_folder(tmp_path / "file" / "data", "CRAPETTE_DATA")
    assert str(caught.value).startswith("CRAPETTE_DATA: ")
    assert str(caught.value).endswith(f"'{tmp_path}/file/data': Not a directory.")


@pytest.mark.parametrize(
    ("text", "found"),
    [("", ["en", "fr"]), ("it", ["en", "it"]), ("pt, fr", ["en", "fr", "pt"]), ("en", ["en"])],
)
def test_some_of_the_options_come_in_their_order_and_the_first_always(text: str, found: list[str]) -> None:
    assert env.some("X", ("en", "fr", "it", "pt"), "fr", environ={"X": text}) == found


def test_an_option_that_is_not_there_is_quoted() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        env.some("CRAPETTE_LANGUAGES", ("en", "fr"), "en", environ={"CRAPETTE_LANGUAGES": "fr,de"})
    assert str(caught.value) == "CRAPETTE_LANGUAGES: expected one of en, fr, got 'de'."


@pytest.mark.parametrize(
    "text", ["arena.example", "//arena.example", "ftp://arena.example", "https://", "http://h:x"]
)
def test_an_address_of_the_site_is_whole(text: str) -> None:
    assert env.site("X", "", environ={"X": "https://arena.example/"}) == "https://arena.example"
    with pytest.raises(ImproperlyConfigured):
        env.site("CRAPETTE_URL", "", environ={"CRAPETTE_URL": text})
