"""When a connection to PostgreSQL is asked whether it still works."""

import time

import psycopg
import pytest
from django.db.backends.postgresql import base
from pytest_django.plugin import DjangoDbBlocker

from arena import env
from arena.web.database.postgresql.base import DatabaseWrapper

DEFAULTS = {
    "ATOMIC_REQUESTS": False,
    "AUTOCOMMIT": True,
    "CONN_MAX_AGE": None,
    "TIME_ZONE": None,
    "TEST": {"NAME": None},
}


def test_a_connection_is_asked_only_after_an_error_and_a_closed_one_is_noticed(
    postgresql_url: str, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = DatabaseWrapper(DEFAULTS | env.database(postgresql_url), "other")
    asked: list[bool] = []
    ask = base.DatabaseWrapper.is_usable

    def noted(self: base.DatabaseWrapper) -> bool:
        asked.append(ask(self))
        return asked[-1]

    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", noted)
    with django_db_blocker.unblock():
        try:
            link.connect()
            assert link.is_usable()
            assert asked == []
            link.errors_occurred = True
            assert link.is_usable()
            assert asked == [True]
            link.errors_occurred = False
            with psycopg.connect(postgresql_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [link.connection.info.backend_pid])
            deadline = time.monotonic() + 30
            while link.is_usable() and time.monotonic() < deadline:
                time.sleep(0.05)
            assert not link.is_usable()
        finally:
            link.close()
