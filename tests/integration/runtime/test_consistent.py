"""Reading at one moment works in any thread, also in one that has not asked the database anything yet."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from arena.web.database.snapshot import consistent_reads

pytestmark = pytest.mark.django_db(transaction=True)
BEGINS = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


def first_statement(*, asked_before: bool) -> str:
    """What a consistent read begins with in a thread whose connection is closed, or was never open."""
    said: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        said.append(sql)
        return execute(sql, *rest)

    try:
        if asked_before:
            connection.ensure_connection()
            connection.close()
        with connection.execute_wrapper(note), consistent_reads(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return said[0]
    finally:
        connection.close()


@pytest.mark.parametrize("asked_before", [False, True])
def test_a_consistent_read_may_be_the_first_of_its_thread_and_takes_no_write_lock(asked_before: bool) -> None:
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(first_statement, asked_before=asked_before).result()
    assert found == BEGINS[connection.vendor]
