"""Two who do something at the same moment, or one who waits for a lock that the test holds."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection, connections, transaction

from analysis.errors import CompetitionError
from bots.errors import BotsError


def until(look: Callable[[], object], what: str) -> None:
    """Wait for something that other threads or processes do."""
    deadline = time.monotonic() + 30
    while not look():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.01)


def at_once(*acts: Callable[[], object], tries: int = 100) -> list[str]:
    """Do all of these at the same moment; what each of them was refused, empty if it was done."""
    start = threading.Barrier(len(acts))
    said = ["" for _ in acts]

    def act(number: int) -> None:
        start.wait()
        try:
            for left in reversed(range(tries)):
                try:
                    acts[number]()
                except OperationalError:  # SQLite lets one write at a time
                    if left:
                        continue
                    raise
                return
        except (BotsError, CompetitionError, OperationalError, PermissionDenied) as error:
            said[number] = str(error) or type(error).__name__
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


@contextmanager
def waiting(act: Callable[[], object], hold: Callable[[], object]) -> Iterator[None]:
    """Continue while somebody else's act waits for what this transaction holds; afterwards it must succeed.

    On SQLite nothing but one transaction writes: there the act follows.
    """
    if connection.vendor != "postgresql":
        with transaction.atomic():
            hold()
            yield
        act()
        return
    said: list[str] = []
    thread = threading.Thread(target=lambda: said.extend(at_once(act)))
    with transaction.atomic():
        hold()
        if locks := connection.features.has_select_for_update:
            thread.start()
        end = time.monotonic() + 10
        while thread.is_alive() and not _blocked() and time.monotonic() < end:
            time.sleep(0.01)
        yield
    if not locks:
        thread.start()
    thread.join()
    assert said == [""]


def _blocked() -> bool:
    """Whether anything waits for a lock now; pg_stat_activity would not change within a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
