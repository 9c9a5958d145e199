"""Caches values that many pages need until a table they were read from changes.

It is to parts of a page what `arena.web.cache.pages` is to whole ones: a value is never older than the
database. What such a function returns is seen by all requests of this process, so nobody may change it.
"""

from __future__ import annotations

import threading
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from arena.web.cache import timed, versions
from arena.web.i18n import languages

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    Arguments = ParamSpec("Arguments")
    Answer = TypeVar("Answer")

MOST: Final = 500
"""Values kept of one function; with more it forgets all and begins again."""


def shared_value(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Keep what a function reads for the same (hashable) arguments and language while its tables stay so.

    That holds while a shared page is being made; elsewhere it is read each time. A transaction that writes
    has stamps that another may come to have for other rows, if it is rolled back.
    """
    return _shared(function, languages.current)


def shared_rows(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Keep what a function reads, as `shared_value` does, once for all languages: without words in it."""
    return _shared(function, str)


def _shared(
    function: Callable[Arguments, Answer], language: Callable[[], str]
) -> Callable[Arguments, Answer]:
    known: dict[Any, tuple[frozenset[str], int, Answer]] = {}
    lock = threading.Lock()
    timed.forget_with(known.clear)

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
