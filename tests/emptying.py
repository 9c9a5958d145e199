"""Empties the database after a test that committed, at the price of what the test left in it.

Django's own way takes all tables, most of them empty, and then makes what a migration ends with anew: content
types, permissions and stamps. On PostgreSQL each of some ninety tables gets new files for it.
"""

from functools import cache
from typing import Final

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

KEPT: Final = frozenset(("django_content_type", "auth_permission", "common_stamp"))
"""What the end of a migration makes; no test changes the first two, and nobody asks stamps for their past."""


def empty(case: TransactionTestCase) -> None:
    """Empty the databases of a test; stands in for Django's own `TransactionTestCase._fixture_teardown`."""
    for alias in case._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
        link = connections[alias]
        with transaction.atomic(using=alias), link.cursor() as cursor:
            # The foreign keys of both databases are looked at when the transaction ends: any order does.
            for table in _filled(link):
                cursor.execute(f"DELETE FROM {link.ops.quote_name(table)}")


def _filled(link: BaseDatabaseWrapper) -> list[str]:
    """The tables that have a row."""
    quoted = link.ops.quote_name
    question = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quoted(table)})" for table in _tables(link.alias)
    )
    with link.cursor() as cursor:
        cursor.execute(question)
        return [table for (table,) in cursor.fetchall()]


@cache
def _tables(alias: str) -> list[str]:
    """The tables of all models, without those that are kept."""
    names = connections[alias].introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(names) - KEPT)
