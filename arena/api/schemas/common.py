"""Words that several schemas share."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ninja import Schema as NinjaSchema
from pydantic import BeforeValidator, ConfigDict, Field

import engine
from engine.boards import BOARDS

DAY = re.compile(r"\d{4}-\d\d-\d\d")
LARGEST = 2**31 - 1


class Schema(NinjaSchema):
    """An object of the API. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


def _day(value: Any) -> Any:
    if isinstance(value, str) and not DAY.fullmatch(value):
        raise ValueError("Expected a date such as 2026-05-31")
    return value


Day = Annotated[date, BeforeValidator(_day)]
Slug = Annotated[str, Field(max_length=80, pattern=r"^[-a-zA-Z0-9_]+$", examples=["greedy"])]
if TYPE_CHECKING:
    # As many words as there are: mypy reads no tuples of them.
    Variant = str
    Board = str
else:
    Variant = Literal[tuple(engine.VARIANTS)]
    Board = Literal[tuple(BOARDS)]
Number = Annotated[int, Field(ge=1, le=LARGEST)]
Key = Annotated[int, Field(ge=1, le=2**62)]
Url = Annotated[str, Field(description="The page for people.", examples=["/games/"])]


def start_of(day: date) -> datetime:
    """The first moment of a day, in UTC."""
    return datetime.combine(day, time.min, UTC)


def end_of(day: date) -> datetime:
    """The first moment after a day, in UTC; of the last day there is, its last moment."""
    return datetime.combine(day, time.max, UTC) if day == date.max else start_of(day + timedelta(days=1))
