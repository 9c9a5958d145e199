"""Where the pages that a process keeps are (`arena.web.cache.pages`)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.web.cache import versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

MOST_BYTES: Final = 16 << 20
"""Of all pages kept by one process."""
MOST_ASKED_BYTES: Final = 2 << 20
"""Of those whose address has a query: anybody can think up any number, which must not push out the rest."""

Key = tuple[str, ...]


@dataclass(slots=True)
class Kept:
    """A cached page, valid while its tables have this sum of stamps and until the time `until`.

    `checked` is the time of the newest stamps with which it was seen to be valid.
    """

    tables: frozenset[str]
    stamp: int
    until: float
    body: bytes
    headers: dict[str, str]
    etag: str
    checked: float

    def is_fresh(self, now: dict[str, int], *, newer: bool = False) -> bool:
        """Whether nothing was written to its tables since; with `newer` also what was made of later rows."""
        stamp = versions.total(self.tables, now)
        same = self.stamp >= stamp if newer else self.stamp == stamp
        return same and time.monotonic() < self.until

    def is_recent(self, seconds: float) -> bool:
        """Whether it was valid less than so long ago."""
        now = time.monotonic()
        return now - self.checked < seconds and now < self.until


class Shelf:
    """Cached pages; the least recently used are dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[Key, Kept] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._making: defaultdict[Key, threading.Lock] = defaultdict(threading.Lock)

    def find(self, key: Key, now: dict[str, int], at: float, *, newer: bool = False) -> Kept | None:
        """The page, if it is there and fresh, or `newer` than these stamps, which were read after `at`."""
        with self._lock:
            kept = self._pages.get(key)
            if kept is None or not kept.is_fresh(now, newer=newer):
                return None
            kept.checked = max(kept.checked, at)
            self._pages.move_to_end(key)
            return kept

    def recent(self, key: Key, seconds: float) -> Kept | None:
        """The page, if it was valid less than so long ago."""
        with self._lock:
            kept = self._pages.get(key)
            if kept is None or not kept.is_recent(seconds):
                return None
            self._pages.move_to_end(key)
            return kept

    def keep(self, key: Key, page: Kept) -> None:
        """Keep a page, and drop others that nobody asked for lately."""
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._bytes += len(page.body)
            while self._bytes > self._most:
                self._drop(next(iter(self._pages)))

    @contextmanager
    def making(self, key: Key) -> Iterator[bool]:
        """Held by whoever makes the page: others wait for it instead of making it too; whether one waited."""
        with self._lock:
            lock = self._making[key]
        waited = not lock.acquire(blocking=False)
        if waited:
            lock.acquire()
        try:
            yield waited
        finally:
            lock.release()
            with self._lock:
                self._making.pop(key, None)

    @property
    def bytes(self) -> int:
        """How much they take."""
        return self._bytes

    def pages(self) -> list[Kept]:
        """What is cached now."""
        with self._lock:
            return list(self._pages.values())

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        old = self._pages.pop(key, None)
        if old is not None:
            self._bytes -= len(old.body)


plain = Shelf(MOST_BYTES - MOST_ASKED_BYTES)
asked = Shelf(MOST_ASKED_BYTES)


def shelf_of(request: HttpRequest) -> Shelf:
    """The shelf of this process for an address: those with a query have one of their own."""
    return asked if request.META.get("QUERY_STRING") else plain
