"""What was written to a table has a new stamp, whoever wrote it."""

import threading

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.utils import timezone

from arena.web.cache import versions
from tests.factories.accounts import author
from tests.factories.tournaments import entrants, running
from tests.racing import at_once
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def names() -> set[tuple[str, str]]:
    """Each of our triggers that is there, with its table."""
    return {(table, name) for table, found in versions._triggers(connection).items() for name in found}


def test_triggers_that_are_lost_or_of_other_columns_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = names()
    lost = sorted(whole)[:3]
    with connection.cursor() as cursor:
        for table, name in lost:
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
    assert len(lost) == len(whole - names()) == 3
    for _ in range(2):
        versions.install("default")
        assert names() == whole
    monkeypatch.setitem(versions.UNSHOWN, "tournaments_tournament", frozenset({"served_at", "note"}))
    versions.install("default")
    gone, new = whole - names(), names() - whole
    assert [table for table, _ in gone] == [table for table, _ in new] == ["tournaments_tournament"]


def test_what_is_undone_or_shown_on_no_page_leaves_no_stamp() -> None:
    before = versions.read()
    with transaction.atomic():
        author("eve")
        assert versions.read()["accounts_user"] == before["accounts_user"] + 1
        transaction.set_rollback(True)
    assert versions.read() == before
    ada = author("ada")
    cup = running(ada, entrants(ada, 2), pairs=2)

    def written(**values: object) -> bool:
        before = versions.read()["tournaments_tournament"]
        Tournament.objects.filter(pk=cup.pk).update(**values)
        return versions.read()["tournaments_tournament"] != before

    assert not written(served_at=timezone.now())
    assert written(note="seen")
    assert written(served_at=timezone.now(), note="seen too")


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_stamp_and_none_is_lost() -> None:
    users = author("ada"), author("bob")
    before = versions.read()["accounts_user"]
    together = threading.Barrier(2, timeout=10)

    def write(key: int) -> None:
        with transaction.atomic():
            get_user_model().objects.filter(pk=key).update(first_name="x")
            if connection.vendor == "postgresql":
                # Both have written and neither is committed. SQLite has one writer at a time.
                together.wait()

    at_once(*(lambda key=user.pk: write(key) for user in users))
    assert versions.read()["accounts_user"] == before + 2
