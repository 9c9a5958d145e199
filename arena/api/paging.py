"""Pages of long lists by cursor: each page says where the next begins, whatever was added meanwhile."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from django.db.models import Q
from pydantic import Field

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

MOST = 100
USUAL = 30

Limit = Annotated[int, Field(ge=1, le=MOST, description=f"How many to return, at most {MOST}.")]
Cursor = Annotated[
    str,
    Field(
        max_length=400,
        description="Where to continue: `next` of the page before. Empty for the first page.",
        examples=[""],
    ),
]


class BadCursor(Exception):
    """The cursor was not one of this list."""


@dataclass(frozen=True, slots=True)
class Key:
    """A column a list is ordered by: its name, how a cursor's text becomes its value, and the direction."""

    name: str
    parse: Callable[[Any], Any]
    descending: bool = True


def moment(text: Any) -> datetime:
    """A time from a cursor."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found


def number(value: Any) -> int:
    """A whole number from a cursor, of a size that databases know."""
    if not isinstance(value, int) or not -(2**62) < value < 2**62:
        raise ValueError(value)
    return value


def real(value: Any) -> float:
    """A real number from a cursor."""
    found = float(value)
    if not -1e300 < found < 1e300:
        raise ValueError(value)
    return found


def text(value: Any) -> str:
    """A text from a cursor."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(value)
    return value


def uuid(value: Any) -> UUID:
    """A key from a cursor."""
    return UUID(value)


def page(found: QuerySet[Any], keys: Sequence[Key], cursor: str, limit: int) -> tuple[list[Any], str | None]:
    """A page of the rows and the cursor of the next, None on the last. Raises :class:`BadCursor`.

    `keys` are what the rows are ordered by; together they are unique.
    """
    if cursor:
        found = found.filter(_after(keys, _parsed(keys, cursor)))
    ordered = found.order_by(*(("-" if key.descending else "") + key.name for key in keys))
    rows = list(ordered[: limit + 1])
    following = _cursor(keys, rows[limit - 1]) if len(rows) > limit else None
    return rows[:limit], following


def _after(keys: Sequence[Key], values: Sequence[Any]) -> Q:
    """Rows that come after these values in the order of the keys."""
    after = Q(pk__in=[])
    same = Q()
    for key, value in zip(keys, values, strict=True):
        after |= same & Q(**{f"{key.name}__{'lt' if key.descending else 'gt'}": value})
        same &= Q(**{key.name: value})
    return after


def _cursor(keys: Sequence[Key], row: Model) -> str:
    values = []
    for key in keys:
        value = row
        for part in key.name.split("__"):
            value = getattr(value, part)
        values.append(_worded(value))
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def _worded(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _parsed(keys: Sequence[Key], cursor: str) -> list[Any]:
    try:
        values = json.loads(
            base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        )
        if not isinstance(values, list):
            raise BadCursor(cursor)
        return [key.parse(value) for key, value in zip(keys, values, strict=True)]
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, binascii.Error) as error:
        raise BadCursor(cursor) from error
