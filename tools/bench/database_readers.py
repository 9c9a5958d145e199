"""How long a reader of the site's database waits, while games are played and written."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import psycopg

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READ: Final = "SELECT topic, SUM(number) FROM common_stamp GROUP BY topic"
"""What every page reads first, of the rows that every writer writes."""
ALONE: Final = "SELECT 1"
"""The same way to the database and back, without its tables: what it takes says how busy the machine is."""
PAUSE_SECONDS: Final = 0.03

Connection = sqlite3.Connection | psycopg.Connection[Any]


class Reader:
    """Reads again and again in a thread of its own; `longest` and `longest_alone` are in milliseconds."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self.longest = 0.0
        self.longest_alone = 0.0
        self.reads = 0
        self._connect = connect
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(self._connect()) as link:
            while not self._stopped.is_set():
                self.longest = max(self.longest, _milliseconds(link, READ))
                self.longest_alone = max(self.longest_alone, _milliseconds(link, ALONE))
                self.reads += 1
                time.sleep(PAUSE_SECONDS)


def _milliseconds(link: Connection, question: str) -> float:
    begun = time.perf_counter()
    link.execute(question).fetchall()
    return (time.perf_counter() - begun) * 1000


def sqlite_reader(path: Path) -> Reader:
    """A reader of an SQLite file."""
    return Reader(lambda: sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20))


def postgresql_reader(address: str) -> Reader:
    """A reader of a PostgreSQL database."""
    return Reader(lambda: psycopg.connect(address, autocommit=True))
