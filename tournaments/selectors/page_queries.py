"""Queries of pages that are asked while games are played, worded once (`arena.web.prepared_sql`).

Without, pages take a third more processor time, and those that show what is going on half again or twice as
much: it goes to wording the same dozen queries again.
"""

from __future__ import annotations

from functools import lru_cache, partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from arena.web.prepared_sql import Given, Worded
from tournaments.models.hidden import sees_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ParamSpec

    from django.db.models import Field, QuerySet

    Arguments = ParamSpec("Arguments")

Row = TypeVar("Row")


def worded(
    make: Callable[Arguments, QuerySet[Any, Row]],
) -> Callable[Arguments, Worded[Row]]:
    """Keep what `make` words for each of its (hashable) arguments, apart for whoever sees hidden rows.

    What is read differs by the values that are `Given`. Ask at once: whether hidden rows are seen is decided
    where the query is first asked.
    """

    @lru_cache(maxsize=256)
    def kept(seeing: bool, arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> Worded[Row]:
        return Worded(partial(make, *arguments, **dict(named)))

    @wraps(make)
    def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Worded[Row]:
        return kept(sees_hidden(), arguments, tuple(sorted(named.items())))

    return call


def some(count: int, field: Field[Any, Any]) -> list[Any]:
    """So many values (`Given`) in a query, of `values_of`. For a foreign key look up its ``__pk``."""
    return [Given(f"some_{number}", field) for number in range(count)]


def values_of(values: Sequence[Any]) -> dict[str, Any]:
    """What to give for `some` values."""
    return {f"some_{number}": value for number, value in enumerate(values)}
