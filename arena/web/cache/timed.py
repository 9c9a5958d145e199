"""Caches answers inside a process for a while, such as total counts that may be a minute old.

Only what says "about", or says when it was counted, may be kept so. What must be exact depends on stamps
(`arena.web.cache.pages`).
"""

from __future__ import annotations

import threading
import time
from functools import wraps
from typing import TYPE_CHECKING

from arena.web.i18n import languages

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    Arguments = ParamSpec("Arguments")
    Answer = TypeVar("Answer")

MOST = 1_000
"""Answers kept of one function; with more it forgets all and begins again."""

_forget: list[Callable[[], None]] = []


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
            key = (languages.current(), arguments, tuple(sorted(named.items())))
            found = known.get(key)
            if found is not None and (time.monotonic() < found[0] or not busy.acquire(blocking=False)):
                return found[1]
            if found is None:
                busy.acquire()
            try:
                found = known.get(key)
                if found is None or time.monotonic() >= found[0]:
                    if len(known) >= MOST:
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
