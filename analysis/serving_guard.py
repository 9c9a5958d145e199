"""Where searches may run: never in a process that serves pages, where everybody would wait for one answer.

Such a process says so once (`forbid`); from then on whatever is marked with `thinks` raises there. That the
modules are not even imported there is proved by import-linter; this catches what finds a way around.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class ThoughtWhereServing(RuntimeError):
    """A search was called in a process that serves pages."""


class _Thinking:
    """This process: whether it may think."""

    serves = False


def forbid(*, serves: bool = True) -> None:
    """From now on this process serves pages and thinks no more (or does again, for tests)."""
    _Thinking.serves = serves


def thinks(function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function that takes thought. It raises ThoughtWhereServing in a process that serves pages."""

    @wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        if _Thinking.serves:
            raise ThoughtWhereServing(
                f"{function.__module__}.{function.__qualname__} belongs into an analysis process: ask for it"
                " with tournaments.questions"
            )
        return function(*args, **kwargs)

    return guarded
