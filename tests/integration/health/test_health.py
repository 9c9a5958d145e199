"""/health: green, red, and why."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from arena import health
from arena.common.models import Heartbeat
from arena.common.tasks import heartbeat

pytestmark = pytest.mark.django_db


def beat(seconds_ago: float) -> None:
    """A heartbeat of the default queue, so long ago."""
    at = timezone.now() - timedelta(seconds=seconds_ago)
    name = settings.CELERY_TASK_DEFAULT_QUEUE
    Heartbeat.objects.update_or_create(name=name, defaults={"beaten_at": at})


def test_a_site_without_a_worker_is_red_and_says_so() -> None:
    assert health.worker() == {"ok": False, "reason": "no worker has beaten yet"}


def test_a_worker_that_beat_a_while_ago_is_red_with_the_age() -> None:
    beat(100)
    part = health.worker()
    assert not part["ok"]
    assert part["reason"] == "the last heartbeat is 100 s old, expected at most 60 s"


def test_the_heartbeat_of_a_worker_turns_it_green() -> None:
    beat(100)
    heartbeat(settings.CELERY_TASK_DEFAULT_QUEUE)
    part = health.worker()
    assert part["ok"]
    assert part["age_seconds"] < 5
    assert Heartbeat.objects.count() == 1


def test_the_database_and_the_broker_answer_for_themselves() -> None:
    database = health.database()
    assert database["ok"]
    assert database["vendor"] == settings.DATABASES["default"]["ENGINE"].rpartition(".")[2].replace(
        "sqlite3", "sqlite"
    )
    assert health.broker() == {"ok": True, "transport": "redis" if settings.REDIS_URL else "memory"}


def test_a_part_that_raises_is_red_without_giving_its_details_away(caplog: pytest.LogCaptureFixture) -> None:
    def look() -> health.Part:
        raise OperationalError("password authentication failed for user 'arena' at 10.0.0.7")

    state = health.examine({"database": look, "worker": lambda: {"ok": True}})
    assert state == {
        "ok": False,
        "version": "0.1.0",
        "parts": {
            "database": {"ok": False, "reason": "it could not be examined: OperationalError"},
            "worker": {"ok": True},
        },
    }
    assert "10.0.0.7" in caplog.text


def test_a_red_part_makes_the_answer_a_503_that_nobody_keeps(client: Client) -> None:
    answer = client.get("/health")
    assert answer.status_code == 503
    assert "no-store" in answer.headers["Cache-Control"]
    state = answer.json()
    assert not state["ok"]
    assert sorted(state["parts"]) == ["broker", "competition", "database", "sandbox", "worker"]
    assert state["parts"]["sandbox"]["ok"], state


def test_with_everything_there_the_answer_is_green(client: Client) -> None:
    beat(1)
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["ok"]) == (200, True)


def test_health_is_only_read(client: Client) -> None:
    assert client.post("/health").status_code == 405
