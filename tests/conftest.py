"""What all tests share: which of them touch the database, and real servers for those that ask."""

import contextlib
import gc
import os
import warnings
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.db import connection
from django.test import TestCase, TransactionTestCase

import engine.ticks.core.whole
import engine.turns.core.whole
from analysis.formats import committed_seeds
from arena.run.embedded.preparation import create_tables
from arena.web.cache import values as kept
from arena.web.i18n.catalogues import compile_catalogues
from tests import servers
from tests.emptying import empty
from tests.prepared import SHARED, Prepared
from tests.shelves import clear_shelves
from tests.site import RunningSite
from tools.run.databases import CHOSEN, run_by_no_step


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--database`` narrows a run to tests that do or do not touch the database."""
    parser.addoption(
        "--database",
        choices=("any", *CHOSEN),
        default="any",
        help="run any test, only those that touch the database, of these only those with something of their"
        " own to say about SQLite, or those without the database",
    )
    parser.addoption(
        "--engine",
        choices=("any", "compiled", "uncompiled"),
        default="any",
        help="fail at once unless the engine's core is as said",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Compile what was translated, and check ``--engine``.

    A core that silently was the other one would be tested twice, or never.
    """
    compile_catalogues()
    wanted = config.getoption("--engine")
    cores = (engine.turns.core.whole, engine.ticks.core.whole)
    sources = [str(each.__file__).endswith(".py") for each in cores]
    found = "uncompiled" if all(sources) else "compiled" if not any(sources) else "compiled in part"
    if wanted not in ("any", found):
        raise pytest.UsageError(f"--engine: expected the core to be {wanted}, it is {found}")
    TransactionTestCase._fixture_teardown = empty  # type: ignore[attr-defined]


# Most of what is imported and collected stays until the end: looking through it for garbage again and again
# takes a seventh of the collection, and a twentieth of the tests.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage again, but only in what the tests make."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Close the connections to the tests' own servers that lie about when all tests are over.

    A thread of a pool or a dropped cache may have left one in a cycle, and only a busy machine lets it live
    until here. What tests leave open earlier is found as ever.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "unclosed <socket", ResourceWarning)
        gc.collect()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what ``--database`` leaves out."""
    wanted = CHOSEN.get(config.getoption("--database"))
    if wanted is None:
        return
    kept = [item for item in items if wanted(item)]
    gone = [item for item in items if not wanted(item)]
    if config.getoption("--database") == "without" and (lost := run_by_no_step(gone)):
        raise pytest.UsageError(f"DATABASE_FOLDERS in tools/run/steps.py: add the folder of {lost[0]}")
    config.hook.pytest_deselected(items=gone)
    items[:] = kept


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Whether the tests' database is there already: Django then finds nothing to migrate in it.

    On SQLite it is made as a site makes its own, at once; to apply the migrations takes ten times as long.
    """
    request.getfixturevalue("django_db_modify_db_settings")  # gives the database the name it has here
    if connection.vendor != "sqlite":
        return False
    its = connection.settings_dict
    usual, its["NAME"] = its["NAME"], its["TEST"]["NAME"]
    request.getfixturevalue("django_db_blocker").unblock()
    try:
        return create_tables()
    finally:
        request.getfixturevalue("django_db_blocker").restore()
        connection.close()
        its["NAME"] = usual


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: object, django_db_blocker: Any) -> Iterator[None]:
    """End what threads of the site left open before PostgreSQL is asked to drop the tests' database.

    Threads of pools keep their connections for as long as the process lives, as they do in a real site.
    """
    yield
    assert django_db_setup is None, "pytest-django gives nothing"
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a real, empty Redis of this test process."""
    with servers.redis() as url:
        yield url


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The URL of a real, empty PostgreSQL of this test process."""
    with servers.postgresql() as url:
        yield url


StartSite = Callable[..., RunningSite]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The data folder of a site that was started once."""
    shared = os.environ.get(SHARED)
    return Prepared(Path(shared) if shared else tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def start_site(tmp_path: Path, prepared: Prepared) -> Iterator[StartSite]:
    """Starts real sites (``python -m arena.run.embedded``) on free ports; all are ended with the test.

    ``start_site(data=folder, GAMES_AT_ONCE=1)``: the data folder is a copy of the prepared one unless given,
    and the names in capitals go into the environment as CRAPETTE_GAMES_AT_ONCE and so on.
    """
    started: list[RunningSite] = []

    def start(data: Path | None = None, **environment: object) -> RunningSite:
        site = RunningSite(data or prepared.copy(tmp_path / f"site-{len(started)}"), environment)
        started.append(site)
        site.wait_until_ready()
        return site

    yield start
    for site in started:
        site.kill()


Made = TypeVar("Made")
ForAllTests = Callable[[Callable[[], Made]], Made]


@pytest.fixture(scope="module")
def for_all_tests(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[ForAllTests[Any]]:
    """Makes rows once for all tests of a module: ``for_all_tests(maker)`` returns what the maker does.

    Each test finds the rows as they were made, for it is undone to there. Only for a module whose tests all
    want them, and none of which commits.
    """
    with contextlib.ExitStack() as undone:

        def make(maker: Callable[[], Made]) -> Made:
            with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
                patch.setattr(committed_seeds, "new_seed", _seeds(request.node.nodeid))
                undone.callback(TestCase._rollback_atomics, TestCase._enter_atomics())  # type: ignore[attr-defined]
                return maker()

        yield make
        with django_db_blocker.unblock():
            undone.close()


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test the same deals in every run, and each test others: what a test meets is no lottery."""
    monkeypatch.setattr(committed_seeds, "new_seed", _seeds(request.node.nodeid))


def _seeds(name: str) -> Callable[[], str]:
    """What names deals in an order that follows from a name."""
    number = count()
    return lambda: sha256(f"{name} {next(number)}".encode()).hexdigest()


@pytest.fixture(autouse=True)
def no_kept_pages() -> Iterator[None]:
    """Drop the pages that were kept: a test's rows are undone without a stamp, and another's get the same."""
    yield
    clear_shelves()
    kept.forget_all()
