"""Another machine joins with one secret; its database role can play and do nothing else."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import ProgrammingError, connection, transaction
from django.test import override_settings

from arena.accounts.models import User
from arena.run.workers.presence import Presence
from arena.run.workers.roles import games
from arena.web import worker_access
from arena.web.models import Host, Worker
from arena.web.worker_access import PREFIX, WorkerSecret, WrongSecret
from tests.factories.accounts import author
from tests.factories.results import accept_result, delivery
from tests.factories.tournaments import rivals, running
from tournaments.games.attempts import renew
from tournaments.games.claims import claim_next
from tournaments.models import Result
from tournaments.pairing.pairs import void_pair

SECRET = WorkerSecret("postgresql://arena_worker:pass@db.example/arena", "redis://redis.example/0")


@pytest.mark.parametrize("word", ["", "hello", PREFIX, PREFIX + "!!", SECRET.word()[:-5], PREFIX + "W10"])
def test_what_is_no_secret_is_refused_without_being_repeated(word: str) -> None:
    with pytest.raises(WrongSecret) as refused:
        WorkerSecret.parse(word)
    assert not word.removeprefix(PREFIX) or word.removeprefix(PREFIX) not in str(refused.value)


def secret_from_command() -> str:
    out = StringIO()
    with override_settings(REDIS_URL="redis://redis.example/0"):
        call_command("worker_secret", stdout=out)
    return out.getvalue().strip()


@pytest.fixture
def worker_role(transactional_db: None) -> Iterator[str]:
    """The name of the workers' role; on SQLite there is none."""
    if connection.vendor != "postgresql":
        yield ""
        return
    assert WorkerSecret.parse(secret_from_command()).database.startswith("postgresql://")
    name = worker_access.role_name()
    yield name
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        cursor.execute(f'DROP OWNED BY "{name}"')
        cursor.execute(f'DROP ROLE "{name}"')


@pytest.mark.on_postgresql
def test_a_site_that_is_no_superuser_makes_the_role_with_new_passwords(worker_role: str) -> None:
    if not worker_role:
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE plain_site CREATEROLE IN ROLE CURRENT_USER")
        cursor.execute(f'GRANT "{worker_role}" TO plain_site WITH ADMIN OPTION')
    try:
        become("plain_site")
        first, second = secret_from_command(), secret_from_command()
        assert WorkerSecret.parse(first) != WorkerSecret.parse(second)
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
            cursor.execute("ALTER ROLE plain_site NOCREATEROLE")
        become("plain_site")
        with pytest.raises(CommandError, match="must be allowed to make a role for workers"):
            secret_from_command()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
            cursor.execute("DROP OWNED BY plain_site")
            cursor.execute("DROP ROLE plain_site")


def become(role: str) -> None:
    if role:
        with connection.cursor() as cursor:
            cursor.execute(f'SET ROLE "{role}"')


def refused(statement: str) -> bool:
    """Whether the database refuses this for want of rights."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except ProgrammingError as error:
        return "permission denied" in str(error) or "must be owner" in str(error)
    return False


@pytest.mark.on_postgresql
def test_a_worker_plays_with_its_role(worker_role: str) -> None:
    cup = running(None, rivals(2), pairs=2)
    become(worker_role)
    Presence(games()).announce()
    assert (Worker.objects.count(), Host.objects.count()) == (1, 1)
    for _ in range(4):
        held = claim_next("w", "here")
        assert held is not None
        whole = delivery(held.game)
        renew(held, 1, whole.events[:1])
        accept_result(held, whole)
    assert Result.objects.count() == 4
    # As after the loss of a host.
    pair = cup.pairings.get().pairs.all()[0]
    again = void_pair(pair, "Its host is gone.")
    assert again is not None
    assert again.games.count() == 2


def test_a_worker_reads_no_account_and_changes_no_bot(worker_role: str) -> None:
    author()
    if not worker_role:
        # SQLite has no roles, so nobody else is let in at all.
        with pytest.raises(CommandError, match="PostgreSQL"):
            call_command("worker_secret")
        return
    become(worker_role)
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    secret = sorted(table for table in tables if table not in worker_access.RIGHTS)
    assert {User._meta.db_table, "django_session", "bots_token"} <= set(secret)
    assert [table for table in secret if not refused(f'SELECT * FROM "{table}" LIMIT 1')] == []
    for statement in (
        "UPDATE bots_version SET number = 7",
        "UPDATE bots_bot SET active_version_id = NULL",
        "INSERT INTO bots_archive DEFAULT VALUES",
        "DELETE FROM tournaments_result",
        "UPDATE tournaments_result SET plies = 1",
        "UPDATE tournaments_record SET count = 1",
        "DELETE FROM tournaments_game",
        "CREATE TABLE mine (a int)",
        "DROP TABLE tournaments_game",
        "ALTER ROLE CURRENT_USER SUPERUSER",
    ):
        assert refused(statement), statement
