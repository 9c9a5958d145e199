"""/health: green, red, and why."""

import subprocess
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from arena.operate import health
from arena.web.models import Heartbeat
from arena.web.tasks import heartbeat
from tests.factories.accounts import author, sign_in_operator
from tests.factories.hosts import CONTAINED, worker

pytestmark = pytest.mark.django_db


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
