"""Before each game a worker asks whether the sandbox is missing, but the database only once a second."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from arena.web.processes import alarms
from tournaments.models import Alarm

pytestmark = pytest.mark.django_db


def test_that_no_alarm_is_raised_is_remembered_for_a_moment_and_that_one_is_raised_is_not(
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    monkeypatch.setattr(alarms, "QUIET_SECONDS", 600.0)
    with django_assert_num_queries(1):
        assert alarms.sandbox_alarm_lately() is None
        assert alarms.sandbox_alarm_lately() is None

    alarms.raise_alarm(Alarm.Kind.SANDBOX, "", "bubblewrap is missing")
    with django_assert_num_queries(2):
        assert alarms.sandbox_alarm_lately() == alarms.sandbox_alarm()

    alarms.clear_alarm(Alarm.Kind.SANDBOX, "")
    assert alarms.sandbox_alarm_lately() is None
