"""What befalls a process stands on the operator's page, once the process can write it down."""

import os
import subprocess
import sys
import time
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connections
from django.test import Client
from django.utils import timezone

from arena.run.workers import presence
from arena.run.workers.presence import Presence
from arena.run.workers.roles import control, games
from arena.web.models import Incident, Worker
from arena.web.processes import incidents
from tests.factories.accounts import sign_in_operator

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the connection of the test open, which a worker closes when its database fails."""
    monkeypatch.setattr(presence, "close_old_connections", lambda: None)
    monkeypatch.setattr(connections, "close_all", lambda: None)


def noted() -> list[tuple[str, str]]:
    return list(Incident.objects.order_by("pk").values_list("kind", "detail"))


def fails(*_: Any, **__: Any) -> Any:
    raise OperationalError(
        'could not extend file "base/1": No space left on device\nHINT: Check free disk space.'
    )


def test_a_worker_says_that_it_started_and_which_one_had_died() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead = f"games@{settings.HOST_NAME}:{gone.pid}"
    Worker.objects.create(name=dead, host=settings.HOST_NAME, pid=gone.pid, beaten_at=timezone.now())
    Presence(control()).announce()
    assert noted() == [("started", f"and found that {dead} had died")]
    assert Incident.objects.get().process == f"control@{settings.HOST_NAME}:{os.getpid()}"


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


def test_the_operators_page_shows_the_last_day(client: Client) -> None:
    sign_in_operator(client)
    assert "Nothing." in client.get("/admin/overview/").content.decode()
    incidents.note(Incident.Kind.BROKER, "control@here:1", "and is back")
    Incident.objects.create(kind="still", process="games@old:1", at=timezone.now() - incidents.LATELY)
    page = client.get("/admin/overview/").content.decode()
    assert "<td>control@here:1</td>" in page
    assert "<td>Broker was away</td><td>and is back</td>" in page
    assert "games@old:1" not in page
    assert "games@old:1" in client.get("/admin/common/incident/").content.decode()
