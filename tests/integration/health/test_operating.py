"""/health and /ready, metrics, limits, what is removed by age, incidents, and errors that go to Sentry."""

import gzip
import http.server
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings
from django.contrib import admin
from django.db import OperationalError, connections
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from arena.operate import health
from arena.run.workers import presence
from arena.run.workers.presence import Presence
from arena.run.workers.roles import control, games
from arena.web import limits
from arena.web.admin import LimitForm
from arena.web.cache import values
from arena.web.models import Heartbeat, Incident, Limit, Worker
from arena.web.processes import incidents
from arena.web.processes.alarms import raise_alarm
from arena.web.processes.error_reports import HIDDEN, without_persons
from arena.web.processes.logs import Json, LineFormatter, following
from arena.web.tasks import heartbeat
from tests.factories.accounts import author, sign_in_operator
from tests.factories.hosts import CONTAINED, host, worker
from tests.factories.results import play_one
from tests.factories.tournaments import rivals, running
from tests.site import ROOT
from tournaments.models import Alarm, Attempt, Evidence, Record, Result
from tournaments.operation import retention

pytestmark = pytest.mark.django_db


TOKEN = "a token that only the monitoring knows"


@pytest.fixture
def played() -> None:
    """Two finished games and two that wait, on a host with an alarm."""
    host("here", speed=2.0, cores=4, games_at_once=4)
    running(None, rivals(2), pairs=2)
    play_one()
    play_one()
    raise_alarm(Alarm.Kind.HOST, "there", "there: too slow")


def metrics(client: Client) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value for each in families for one in each.samples
    }


def test_metrics_tell_what_waits_plays_and_ends_to_those_who_have_the_token(
    client: Client, settings: Any, played: None
) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for headers in ({}, {"Authorization": "Bearer wröng"}):
        assert client.get("/metrics", headers=headers).status_code == 404
    found = metrics(client)
    assert found["crapette_games_waiting", ()] == 2
    assert found["crapette_capacity_games", ()] == 4
    assert found["crapette_games_ended_last_hour", (("host", ""), ("termination", "win"))] == 2
    assert found["crapette_alarms", (("kind", "host"),)] == 1


def test_a_process_is_ready_when_its_database_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert client.get("/health").status_code == 503, "it has no worker"

    def away() -> health.Part:
        raise OperationalError("no route to 10.0.0.7")

    monkeypatch.setattr(health, "database", away)
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["reason"]) == (503, "the database does not answer")


def test_a_limit_changes_while_the_site_runs_and_stays_in_its_bounds() -> None:
    assert limits.value("keep_evidence_days") == 90
    Limit.objects.create(name="keep_evidence_days", value=7)
    values.forget_all()
    assert limits.value("keep_evidence_days") == 7
    Limit.objects.update(value=-5)
    values.forget_all()
    assert limits.value("keep_evidence_days") == 1
    assert not LimitForm({"name": "keep_alarms_days", "value": 0}).is_valid()
    assert LimitForm({"name": "keep_alarms_days", "value": 2}).is_valid()


def test_what_is_too_old_goes_and_results_stay(played: None) -> None:
    Alarm.objects.update(cleared_at=timezone.now() - timedelta(days=400))
    Incident.objects.create(kind="clock", process="games@a:1", at=timezone.now() - timedelta(days=31))
    Incident.objects.create(kind="clock", process="games@a:1")
    attempt = Attempt.objects.order_by("pk")[0]
    long_ago = timezone.now() - timedelta(days=100)
    Attempt.objects.create(
        game=attempt.game, token=99, worker="w", lease_until=long_ago, heartbeat_at=long_ago,
        ended_at=long_ago, cause="lease-expired",
    )  # fmt: skip
    attempt.game.finished_at = long_ago
    attempt.game.save()
    gone = {rule: count for rule, count in retention.remove_all().items() if count}
    expected = ("keep_evidence_days", "keep_attempts_days", "keep_alarms_days", "keep_incidents_days")
    assert gone == dict.fromkeys(expected, 1)
    assert Incident.objects.count() == 1
    assert (Evidence.objects.count(), Result.objects.count(), Record.objects.count()) == (1, 2, 2)


def beat(seconds_ago: float, queues: Sequence[str] = settings.QUEUES) -> None:
    at = timezone.now() - timedelta(seconds=seconds_ago)
    for name in queues:
        Heartbeat.objects.update_or_create(name=name, defaults={"beaten_at": at})


def test_workers_and_every_host_that_plays_answer_for_themselves() -> None:
    none = {"ok": False, "games_at_once": 0, "workers": {}, "reason": "no worker is there"}
    assert health.workers() == none
    worker("play@here:1")
    worker("analysis@here:2", games_at_once=0, sandbox={})
    assert health.sandbox() == {"ok": True, "level": "full", "workers": {"play@here:1": CONTAINED}}
    worker("play@there:3", sandbox={"ok": False, "level": "full", "reason": "bwrap is not installed"})
    worker("play@new:4", sandbox={})
    worker("play@gone:5", sandbox={"ok": False}, seconds_ago=31)
    part = health.workers()
    assert (part["ok"], part["games_at_once"]) == (False, 6)
    assert (len(part["workers"]), part["reason"]) == (5, "not heard of for 30 s: play@gone:5")
    part = health.sandbox()
    assert (part["ok"], sorted(part["workers"])) == (False, ["play@here:1", "play@new:4", "play@there:3"])
    assert part["reason"] == "play@there:3: bwrap is not installed; play@new:4: not examined yet"


def test_each_queue_has_a_heartbeat_of_its_own() -> None:
    assert health.queues()["reason"] == "no queue had a heartbeat within 60 s: is beat running?"
    beat(1, settings.QUEUES[:-1])
    beat(100, settings.QUEUES[-1:])
    part = health.queues()
    assert not part["ok"]
    assert part["reason"] == "no heartbeat within 60 s came through analysis"
    heartbeat(settings.ANALYSIS_QUEUE)
    part = health.queues()
    assert part["ok"]
    assert part["age_seconds"][settings.ANALYSIS_QUEUE] < 5
    assert Heartbeat.objects.count() == len(settings.QUEUES)


@pytest.mark.each_database
def test_the_database_and_the_broker_answer_for_themselves() -> None:
    database = health.database()
    assert database["ok"]
    assert health.broker() == {"ok": True, "transport": "redis" if settings.REDIS_URL else "memory"}


def test_a_part_that_raises_is_red_without_giving_its_details_away(caplog: pytest.LogCaptureFixture) -> None:
    def look() -> health.Part:
        raise OperationalError("password authentication failed for user 'arena' at 10.0.0.7")

    state = health.examine({"database": look, "worker": lambda: {"ok": True}})
    bad = {"ok": False, "reason": "it could not be examined: OperationalError"}
    assert state == {"ok": False, "version": "0.1.0", "parts": {"database": bad, "worker": {"ok": True}}}
    assert "10.0.0.7" in caplog.text


def test_the_page_says_what_does_not_work_and_looks_every_few_seconds(
    played: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> health.Part:
        raise OperationalError("no route to 10.0.0.7")

    first = client.get("/how-it-works/").content.decode()
    assert ("2 are waiting" in first, "Something is not working" in first) == (True, True)
    monkeypatch.setitem(health.PARTS, "competition", look)
    assert "2 are waiting" in client.get("/how-it-works/").content.decode(), "it has just been looked at"
    values.forget_all()
    then = client.get("/how-it-works/")
    said = then.content.decode()
    assert (then.status_code, "are waiting" in said, "10.0.0.7" in said) == (200, False, False)


def test_reasons_are_for_operators(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "play@db-host-7:1: FileNotFoundError: '/srv/arena/var/bots'"
    worker("play@db-host-7:1", sandbox={"ok": False, "level": "full", "reason": secret})
    settings.METRICS_TOKEN = "token of the monitoring"
    visitor = Client()
    visitor.force_login(author("ada"))
    for asked in (visitor, Client(), Client(headers={"Authorization": "Bearer wrong"})):
        said = asked.get("/health").content.decode()
        assert not any(word in said for word in ("db-host", "/srv", "Error", "reason"))
    sign_in_operator(client)
    for asked in (client, Client(headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"})):
        assert secret in asked.get("/health").json()["parts"]["sandbox"]["reason"]

    def away(request: object) -> bool:
        raise OperationalError("no route to 10.0.0.7")

    monkeypatch.setattr(admin.site, "has_permission", away)
    assert "db-host" not in client.get("/health").content.decode()


def test_health_is_green_with_everything_there_starts_no_process_and_asks_little(
    client: Client, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def popen(*_: object, **__: object) -> None:
        pytest.fail("health must not start a process")

    monkeypatch.setattr(subprocess, "Popen", popen)
    beat(1)
    worker("play@here:1")
    with django_assert_max_num_queries(9):
        answer = client.get("/health")
    assert (answer.status_code, answer.json()["ok"]) == (200, True)


@pytest.fixture
def one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the connection of the test open, which a worker closes when its database fails."""
    monkeypatch.setattr(presence, "close_old_connections", lambda: None)
    monkeypatch.setattr(connections, "close_all", lambda: None)


def noted() -> list[tuple[str, str]]:
    return list(Incident.objects.order_by("pk").values_list("kind", "detail"))


def fails(*_: Any, **__: Any) -> Any:
    raise OperationalError(
        'could not extend file "base/1": No space left on device\nHINT: Check free disk space.'
    )


@pytest.mark.usefixtures("one_connection")
def test_a_worker_says_that_it_started_and_which_one_had_died() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead = f"games@{settings.HOST_NAME}:{gone.pid}"
    Worker.objects.create(name=dead, host=settings.HOST_NAME, pid=gone.pid, beaten_at=timezone.now())
    Presence(control()).announce()
    assert noted() == [("started", f"and found that {dead} had died")]
    assert Incident.objects.get().process == f"control@{settings.HOST_NAME}:{os.getpid()}"


@pytest.mark.usefixtures("one_connection")
def test_a_worker_that_lost_the_database_says_so_once_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Presence(games())
    worker.announce()
    with monkeypatch.context() as broken:
        broken.setattr(Worker.objects, "filter", fails)
        worker.beat()
        worker.beat()
    incidents.remember(ValueError("later"))
    worker.beat()
    worker.beat()
    first = 'could not extend file "base/1": No space left on device'
    assert noted()[1:] == [("database", f"3 times within 0 s, the first time: {first}")]


@pytest.mark.usefixtures("one_connection")
def test_a_worker_that_stood_still_or_whose_clock_jumped_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = {"monotonic": 1_000.0, "time": 5_000_000.0}
    monkeypatch.setattr(time, "monotonic", lambda: moments["monotonic"])
    monkeypatch.setattr(time, "time", lambda: moments["time"])
    worker = Presence(games())
    worker.announce()
    for passed, told in ((5, 5), (60, 60), (5, 3605), (5, -3595)):
        moments["monotonic"] += passed
        moments["time"] += told
        worker.beat()
    assert noted()[1:] == [("still", "for 60 s"), ("clock", "by +3600 s"), ("clock", "by -3600 s")]


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


def test_log_lines_name_the_game_they_are_about() -> None:
    with following(game="1234", attempt=2):
        line, found = (
            formatter.format(logging.LogRecord("arena", 20, "x", 1, "played %d", (3,), None))
            for formatter in (LineFormatter("{message}", style="{"), Json())
        )
    assert line == "played 3 [game=1234 attempt=2]"
    assert json.loads(found).items() >= {"message": "played 3", "game": "1234", "attempt": "2"}.items()
