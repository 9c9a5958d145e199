"""Statements that are prepared once: what they send is what Django would send."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import CharField, F, IntegerField, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate, delete, insert, update
from arena.web.models import Worker
from tournaments.models import Alarm

pytestmark = pytest.mark.django_db


def worker(name: str, games: int = 2, host: str = "north") -> Worker:
    now = timezone.now()
    more = {"queues": ["games"], "sandbox": {"level": "full"}, "beaten_at": now}
    return Worker(name=name, host=host, pid=1, games_at_once=games, **more)


def test_an_inserted_row_is_read_back_as_it_was_and_gets_the_key_that_the_database_chose() -> None:
    row = worker("one")
    insert(row)
    found = Worker.objects.get(name="one")
    # When it started is set by the field itself when a row is added.
    kept = ("host", "queues", "sandbox", "games_at_once", "beaten_at", "started_at")
    assert [getattr(found, name) for name in kept] == [getattr(row, name) for name in kept]
    assert found == row
    alarm = Alarm(kind=Alarm.Kind.PAIR, key="a", detail="", seen_at=timezone.now())
    insert(alarm)
    assert Alarm.objects.get(pk=alarm.pk).key == "a"
    # What is there already is refused.
    with transaction.atomic():
        with pytest.raises(IntegrityError):
            insert(worker("one", games=3))
        transaction.set_rollback(True)


def test_rows_that_have_all_the_values_are_changed_or_deleted_and_counted() -> None:
    for name, games in (("one", 2), ("two", 2), ("three", 3)):
        insert(worker(name, games))
    assert update(Worker, {"games_at_once": 2, "host": "north"}, {"sandbox": {"level": "none"}}) == 2
    assert update(Worker, {"games_at_once": 2, "host": "south"}, {"pid": 9}) == 0
    changed = Worker.objects.filter(sandbox={"level": "none"}).values_list("name", flat=True)
    assert sorted(changed) == ["one", "two"]
    assert update(Worker, {"pk": "one"}, {"pid": 7}, plus={"games_at_once": -1}) == 1
    assert Worker.objects.filter(pk="one").values_list("pid", "games_at_once").get() == (7, 1)
    assert delete(Worker, {"games_at_once": 2, "host": "south"}) == 0
    assert delete(Worker, {"host": "north", "pid": 1}) == 2
    assert Worker.objects.get().name == "one"


def test_a_query_is_worded_once_and_sends_what_django_would_send() -> None:
    for name, host in (("one", "north"), ("two", "north"), ("three", "south")):
        insert(worker(name, host=host))
    compiled = 0

    def made() -> QuerySet[Worker]:
        nonlocal compiled
        compiled += 1
        return Worker.objects.filter(host=Param("host", CharField())).order_by("name")

    query = PreparedQuery(made)
    found = [[row.name for row in query.rows(host=host)] for host in ("north", "south", "east")]
    assert found == [["one", "two"], ["three"], []]
    assert (query.first(host="east"), compiled) == (None, 1)

    lately = Worker.objects.filter(beaten_at__gt=timezone.now() - timedelta(minutes=1), host="south")
    least = Param("least", IntegerField())
    other = PreparedQuery(lambda: lately.filter(games_at_once__lt=least).values_list("name", "beaten_at"))
    other.rows(least=5)
    with CaptureQueriesContext(connection) as asked:
        ours = other.rows(least=5)
        theirs = list(lately.filter(games_at_once__lt=5).values_list("name", "beaten_at"))
    assert ours == theirs == [("three", Worker.objects.get(name="three").beaten_at)]
    assert asked[0]["sql"].replace("(5)", "5") == asked[1]["sql"]


def test_a_worded_update_takes_its_values_each_time() -> None:
    insert(worker("one", games=2))
    named = Worker.objects.filter(name=Param("name", CharField()))
    change = {"games_at_once": F("games_at_once") + 1, "host": Param("host", CharField())}
    more = PreparedUpdate(lambda: (named, change))
    told = (("one", "south"), ("two", "east"), ("one", "west"))
    assert [more(name=name, host=host) for name, host in told] == [1, 0, 1]
    assert Worker.objects.values_list("games_at_once", "host").get() == (4, "west")


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only_also_when_the_query_was_compiled_in_one() -> None:
    insert(worker("one"))
    locked = PreparedQuery(lambda: Worker.objects.filter(name="one").select_for_update())
    with transaction.atomic():
        assert [row.name for row in locked.rows()] == ["one"]
    if connection.features.has_select_for_update:
        with pytest.raises(transaction.TransactionManagementError):
            locked.rows()
    else:  # SQLite has one writer at a time, and Django leaves the lock out
        assert locked.rows()
