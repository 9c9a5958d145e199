"""Which tests touch the database, and which of these a short run needs on SQLite beside PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.test import TransactionTestCase

from tools.run.steps import DATABASE_FOLDERS, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pytest

COMMITTING: Final = frozenset(
    ("transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback", "live_server")
)
FIXTURES: Final = COMMITTING | {"db"}
SAID: Final = ("any_database", "each_database")
ENOUGH: Final = "on_postgresql"


def touches(item: pytest.Item) -> bool:
    """Whether a test reads or writes the test database of this process."""
    if item.get_closest_marker("django_db") is not None:
        return True
    case = getattr(item, "cls", None)
    if case is not None and issubclass(case, TransactionTestCase):
        return True
    return not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def commits(item: pytest.Item) -> bool:
    """Whether a test commits: how long a lock is held and who sees what differs between the databases."""
    marker = item.get_closest_marker("django_db")
    asked = marker is not None and bool(marker.kwargs.get("transaction"))
    return asked or not COMMITTING.isdisjoint(getattr(item, "fixturenames", ()))


def of_sqlite(item: pytest.Item) -> bool:
    """Whether a test shows on SQLite what its run on PostgreSQL, if it has one, does not."""
    said = any(item.get_closest_marker(name) for name in SAID)
    return touches(item) and (said or (commits(item) and item.get_closest_marker(ENOUGH) is None))


CHOSEN: Final[dict[str, Callable[[pytest.Item], bool]]] = {
    "only": touches,
    "own": of_sqlite,
    "without": lambda item: not touches(item),
}
"""What each choice of ``--database`` leaves in."""


def run_by_no_step(items: Iterable[pytest.Item]) -> list[str]:
    """The tests with a database that lie where no step looks for them."""
    folders = [ROOT / folder for folder in DATABASE_FOLDERS]
    return [item.nodeid for item in items if not any(item.path.is_relative_to(folder) for folder in folders)]
