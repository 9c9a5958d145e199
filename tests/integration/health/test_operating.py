"""Metrics, the operator's page, readiness, limits and what is removed by age."""

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from arena.operate import health
from arena.web import limits
from arena.web.admin import LimitForm
from arena.web.cache import values
from arena.web.models import Incident, Limit
from arena.web.processes.alarms import raise_alarm
from arena.web.processes.logs import Json, LineFormatter, following
from tests.factories.hosts import host
from tests.factories.results import play_one
from tests.factories.tournaments import rivals, running
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


def test_metrics_tell_what_waits_plays_and_ends(client: Client, settings: Any, played: None) -> None:
    settings.METRICS_TOKEN = TOKEN
    found = metrics(client)
    assert found["crapette_games_waiting", ()] == 2
    assert found["crapette_capacity_games", ()] == 4
    assert found["crapette_games_ended_last_hour", (("host", ""), ("termination", "win"))] == 2
    assert found["crapette_alarms", (("kind", "host"),)] == 1


def test_metrics_are_for_those_who_have_the_token(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer wröng"}).status_code == 404


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


def test_log_lines_name_the_game_they_are_about() -> None:
    def line(formatter: logging.Formatter, **more: Any) -> str:
        return formatter.format(logging.LogRecord("arena", 20, "x", 1, "played %d", (3,), None, **more))

    assert line(LineFormatter("{message}", style="{")) == "played 3"
    with following(game="1234", attempt=2):
        assert line(LineFormatter("{message}", style="{")) == "played 3 [game=1234 attempt=2]"
        found = json.loads(line(Json()))
    assert (found["message"], found["game"], found["attempt"]) == ("played 3", "1234", "2")
    assert "game" not in json.loads(line(Json()))
