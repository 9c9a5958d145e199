"""Errors go to Sentry where a setting says so: with what they are about, and with nothing about persons."""

import gzip
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from django.core.exceptions import ImproperlyConfigured

from arena import env
from arena.web.processes.error_reports import HIDDEN, without_persons
from tests.site import ROOT

GAME = "0f0f0f0f-1111-4222-8333-444444444444"
PROGRAM = f"""
import django
django.setup()
import sentry_sdk
from django.conf import settings
from django.test import Client
from arena.celery import app, shared_task
from arena.web.processes.logs import following
from tournaments import urls

settings.STORAGES["staticfiles"] = {{"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"

def broken(request, **_):
    raise RuntimeError("view of ann@example.org with " + request.headers["Authorization"])

next(one for one in urls.urlpatterns if getattr(one, "name", "") == "embed").callback = broken
client = Client(raise_request_exception=False)
client.cookies[settings.SESSION_COOKIE_NAME] = "cookie-of-ann"
head = {{"Authorization": "Bearer crapette_token-of-ann"}}
answer = client.get("/embed/games/{GAME}/?key=query-of-ann", headers=head, SERVER_NAME="localhost")
assert answer.status_code == 500, answer.status_code

@shared_task(name="tests.broken")
def task(game):
    with following(game=game, attempt=3):
        raise RuntimeError("task with crapette_token-of-bob")

task.apply(args=(4712,))
sentry_sdk.flush(10)
"""


UNPACK = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}


class Store(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        unpacked = UNPACK[self.headers["Content-Encoding"]]
        self.server.got.append(unpacked(body).decode())  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def sentry() -> Iterator[tuple[str, list[str]]]:
    """The DSN of a server on this machine, and what it got."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
    server.got = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://public@127.0.0.1:{server.server_address[1]}/1", server.got  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


def test_errors_of_views_and_tasks_arrive_with_their_game_and_without_secrets(
    sentry: tuple[str, list[str]], tmp_path: Path
) -> None:
    dsn, got = sentry
    settings = {
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "CRAPETTE_MODE": "embedded",
        "CRAPETTE_DATA": str(tmp_path),
        "CRAPETTE_SENTRY_DSN": dsn,
    }
    command, environment = [sys.executable, "-c", PROGRAM], {**os.environ, **settings}
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr
    view = next((one for one in got if "view of" in one), "")
    task = next((one for one in got if "task with" in one), "")
    assert view, ended.stderr
    assert task, ended.stderr
    assert f'"game_id":"{GAME}"' in view.replace(" ", "")
    assert '"game":"4712"' in task.replace(" ", "")
    assert '"attempt":"3"' in task.replace(" ", "")
    assert '"route":"/embed/games/<uuid:game_id>/"' in view.replace(" ", "")
    assert "tests.broken" in task
    for secret in ("of-ann", "of-bob", "example.org"):
        assert secret not in "".join(got), secret


def test_a_dsn_that_is_none_or_lacks_its_package_ends_the_start_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for dsn in ("sentry.example", "https://host/1", "https://key@host", "ftp://key@host/1"):
        with pytest.raises(ImproperlyConfigured, match="expected https://key@host/project"):
            env.sentry("DSN", environ={"DSN": dsn})
    monkeypatch.setattr(env, "find_spec", lambda _: None)
    with pytest.raises(ImproperlyConfigured, match=r"requirements-extras\.txt"):
        env.sentry("DSN", environ={"DSN": "https://key@host/1"})
    assert env.sentry("DSN", environ={}) == ""


SECRET_WORDS = (
    'duplicate key value violates unique constraint "name"\nDETAIL:  Key (name)=(ann) already exists.',
    "DETAIL:  Failing row contains (7, pbkdf2,\nann, 2026).",
    "lost: IntegrityError('null value\\nDETAIL:  Failing row contains (ann, 2026).')",
    "invalid input syntax for type integer: \"ann\"\nLINE 1: SELECT 1 FROM users WHERE name = 'ann'",
    'invalid input syntax for type uuid: "ann\'s"',
    "GET /bots/?name=ann&key=1",
    "GET /notices/feed/ann-0123456789abcdef0123456789abcdef0123456789.atom",
    "GET /accounts/password/reset/key/ann-c3po-0123/",
)


def test_what_a_database_quotes_and_links_that_let_somebody_in_are_blacked_out() -> None:
    for words in SECRET_WORDS:
        sent = str(
            without_persons({"logentry": {"message": "%s", "params": [words], "formatted": words}}, {})
        )
        assert ("ann" in sent, HIDDEN in sent) == (False, True), words

    def sent_of(kind: str, module: str, value: str) -> str:
        event = {"exception": {"values": [{"type": kind, "module": module, "value": value}]}}
        return str(without_persons(event, {})["exception"]["values"][0]["value"])

    # Of an error of the database the sentence is sent in any language, and nothing below.
    value = "la valeur d'une clé dupliquée rompt « user_name »\nDÉTAIL : La clé « (name)=(ann) » existe déjà."
    for module in ("psycopg.errors", "django.db.utils"):
        assert sent_of("IntegrityError", module, value) == value.partition("\n")[0]
    named = (
        f'expected "a": "b" of game /games/{GAME}/, crapette@0.1.0, /site-packages/django/db/models/sql.py'
    )
    assert without_persons({"message": named}, {})["message"] == named, "what names nobody stays"
