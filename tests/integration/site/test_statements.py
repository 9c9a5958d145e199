"""Statements that are worded once: what they send is what Django would send."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import CharField, F, IntegerField, QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.web.database import prepared_sql
from arena.web.database.prepared_sql import Given, Worded, WordedUpdate
from arena.web.models import Host, Worker
from tournaments.models import Alarm

pytestmark = pytest.mark.django_db


def worker(name: str, games: int = 2, host: str = "north") -> Worker:
    return Worker(
        name=name,
        host=host,
        pid=1,
        queues=["games"],
        games_at_once=games,
        sandbox={"level": "full"},
        beaten_at=timezone.now(),
    )


def test_an_inserted_row_is_read_back_as_it_was() -> None:
    row = worker("one")

    assert prepared_sql.insert(row)

    found = Worker.objects.get(name="one")
    kept = ("host", "queues", "sandbox", "games_at_once", "beaten_at")
    assert [getattr(found, name) for name in kept] == [getattr(row, name) for name in kept]
    assert found.started_at == row.started_at  # set by the field itself when a row is added
    assert found == row


def test_a_row_that_is_there_already_is_refused_or_left_as_it_is() -> None:
    prepared_sql.insert(worker("one", games=2))

    assert not prepared_sql.insert(worker("one", games=3), unless_there=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        prepared_sql.insert(worker("one", games=3))

    assert Worker.objects.get().games_at_once == 2


def test_after_a_refused_row_the_transaction_around_it_takes_no_more() -> None:
    prepared_sql.insert(worker("one"))

    with transaction.atomic():
        with pytest.raises(IntegrityError):
            prepared_sql.insert(worker("one"))
        with pytest.raises(transaction.TransactionManagementError):
            Worker.objects.count()
        transaction.set_rollback(True)


def test_a_row_gets_the_key_that_the_database_chose() -> None:
    rows = [Alarm(kind=Alarm.Kind.PAIR, key=key, detail="", seen_at=timezone.now()) for key in "ab"]

    for row in rows:
        prepared_sql.insert(row)

    assert [Alarm.objects.get(pk=row.pk).key for row in rows] == ["a", "b"]


def test_an_update_changes_the_rows_that_have_all_the_values_and_counts_them() -> None:
    for name, games in (("one", 2), ("two", 2), ("three", 3)):
        prepared_sql.insert(worker(name, games))

    assert (
        prepared_sql.update(Worker, {"games_at_once": 2, "host": "north"}, {"sandbox": {"level": "none"}})
        == 2
    )
    assert prepared_sql.update(Worker, {"games_at_once": 2, "host": "south"}, {"pid": 9}) == 0

    changed = Worker.objects.filter(sandbox={"level": "none"}).values_list("name", flat=True)
    assert sorted(changed) == ["one", "two"]


def test_an_update_finds_rows_without_a_value() -> None:
    now = timezone.now()
    for name, aside in (("north", None), ("south", now)):
        Host.objects.create(
            name=name, cores=1, speed=1, rules=1, announced_at=now, spell_from=now, set_aside_at=aside
        )

    assert prepared_sql.update(Host, {"set_aside_at": None}, {"cores": 4}) == 1
    assert prepared_sql.update(Host, {"set_aside_at": now}, {"cores": 8}) == 1

    assert list(Host.objects.order_by("name").values_list("cores", flat=True)) == [4, 8]


def test_a_column_grows_by_what_is_said() -> None:
    prepared_sql.insert(worker("one", games=2))

    assert prepared_sql.update(Worker, {"pk": "one"}, {"pid": 7}, plus={"games_at_once": -1}) == 1

    assert Worker.objects.values_list("pid", "games_at_once").get() == (7, 1)


def test_the_rows_that_have_all_the_values_are_deleted_and_counted() -> None:
    for name, games in (("one", 2), ("two", 2), ("three", 3)):
        prepared_sql.insert(worker(name, games))

    assert prepared_sql.delete(Worker, {"games_at_once": 2, "host": "south"}) == 0
    assert prepared_sql.delete(Worker, {"games_at_once": 2, "host": "north"}) == 2

    assert Worker.objects.get().name == "three"


def test_a_query_is_worded_once_and_asked_with_other_values_each_time() -> None:
    for name, host in (("one", "north"), ("two", "north"), ("three", "south")):
        prepared_sql.insert(worker(name, host=host))
    worded = 0

    def made() -> QuerySet[Worker]:
        nonlocal worded
        worded += 1
        return Worker.objects.filter(host=Given("host", CharField())).order_by("name")

    query = Worded(made)

    assert [[row.name for row in query.rows(host=host)] for host in ("north", "south", "east")] == [
        ["one", "two"],
        ["three"],
        [],
    ]
    assert query.first(host="east") is None
    assert worded == 1


def test_a_worded_query_sends_what_django_would_send() -> None:
    found = Worker.objects.filter(beaten_at__gt=timezone.now() - timedelta(minutes=1), games_at_once__gt=1)
    least = Given("least", IntegerField())
    query = Worded(lambda: found.filter(games_at_once__lt=least).values_list("name", "beaten_at"))
    row = worker("one")
    prepared_sql.insert(row)
    query.rows(least=5)

    with CaptureQueriesContext(
        connection,
    ) as asked:
        ours = query.rows(least=5)
        theirs = list(found.filter(games_at_once__lt=5).values_list("name", "beaten_at"))

    assert ours == theirs == [("one", row.beaten_at)]
    assert asked[0]["sql"].replace("(5)", "5") == asked[1]["sql"]


def test_a_worded_update_takes_its_values_each_time() -> None:
    prepared_sql.insert(worker("one", games=2))
    more = WordedUpdate(
        lambda: (
            Worker.objects.filter(name=Given("name", CharField())),
            {"games_at_once": F("games_at_once") + 1, "host": Given("host", CharField())},
        )
    )

    assert [more(name="one", host="south"), more(name="two", host="east"), more(name="one", host="west")] == [
        1,
        0,
        1,
    ]

    assert Worker.objects.values_list("games_at_once", "host").get() == (4, "west")
