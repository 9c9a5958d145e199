"""Caches values that many pages need: until a table they were read from changes, or for a while.

`shared_value` and `shared_rows` are to parts of a page what `arena.web.cache.pages` is to whole ones: a value
is never older than the database. `kept_for` is for what says "about", or says when it was counted. What such
a function returns is seen by all requests of this process, so nobody may change it. Without, a page of which
only other tables have changed takes 10 to 30 % more processor time, and the home page twice as much.
"""

from __future__ import annotations

import threading
import time
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from arena.web.cache import versions
from arena.web.i18n import readers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    Arguments = ParamSpec("Arguments")
    Answer = TypeVar("Answer")

MOST: Final = 500
"""Values kept of one function until a table changes; with more it forgets all and begins again."""
MOST_FOR_A_WHILE: Final = 1_000
"""Values kept of one function for a while, likewise."""

_forget: list[Callable[[], None]] = []


def shared_value(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Keep what a function reads for the same (hashable) arguments and reader while its tables stay so.

    That holds while a shared page is being made; elsewhere it is read each time. A transaction that writes
    has stamps that another may come to have for other rows, if it is rolled back.
    """
    return _shared(function, _reader)


def shared_rows(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Keep what a function reads, as `shared_value` does, once for all languages: without words in it."""
    return _shared(function, str)


def _reader() -> str:
    """What words depend on: the reader's language and time zone."""
    return f"{readers.current()} {timezone.get_current_timezone_name()}"


def _shared(
    function: Callable[Arguments, Answer], language: Callable[[], str]
) -> Callable[Arguments, Answer]:
    known: dict[Any, tuple[frozenset[str], int, Answer]] = {}
    lock = threading.Lock()
    forget_with(known.clear)

    @wraps(function)
    def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        key = (language(), arguments, tuple(sorted(named.items())))
        now = versions.of_page()
        if now is None:
            return function(*arguments, **named)
        found = known.get(key)
        if found is not None and found[1] == versions.total(found[0], now):
            versions.also_read(found[0])
            return found[2]
        with versions.tables_read() as tables:
            answer = function(*arguments, **named)
        if tables <= now.keys():
            with lock:
                if len(known) >= MOST:
                    known.clear()
                known[key] = (frozenset(tables), versions.total(tables, now), answer)
        return answer

    return call


def kept_for(seconds: float) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]:
    """Keep what a function answers to the same arguments in one language for so long. They must be hashable.

    Only one thread works an answer out; others that ask meanwhile get the old one, however old it is, or wait
    for the first.
    """

    def decorate(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        known: dict[Any, tuple[float, Answer]] = {}
        busy = threading.Lock()
        _forget.append(known.clear)

        @wraps(function)
        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
            key = (readers.current(), arguments, tuple(sorted(named.items())))
            found = known.get(key)
            if found is not None and (time.monotonic() < found[0] or not busy.acquire(blocking=False)):
                return found[1]
            if found is None:
                busy.acquire()
            try:
                found = known.get(key)
                if found is None or time.monotonic() >= found[0]:
                    if len(known) >= MOST_FOR_A_WHILE:
                        known.clear()
                    found = known[key] = (time.monotonic() + seconds, function(*arguments, **named))
                return found[1]
            finally:
                busy.release()

        return call

    return decorate


def forget_with(clear: Callable[[], None]) -> None:
    """Have something else forgotten, too, whenever all answers are."""
    _forget.append(clear)


def forget_all() -> None:
    """Forget every answer of this process: a test's rows are undone."""
    for clear in _forget:
        clear()
