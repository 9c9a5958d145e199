"""Event logs by columns: the form in which the records of games are kept.

All values of one name stand together, and numbers that grow are kept as steps. Compressed, that takes less
than half of what the same log takes line by line.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MARK: Final = b"\x01"
"""The first byte. A log that was packed line by line begins with zlib's."""

PLAIN: Final = 0
STEPS: Final = 1
STEPS_EACH: Final = 2
"""What a column holds: values, the steps from one to the next, or such steps for each place of lists."""

_encoder: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def pack(events: Sequence[Mapping[str, Any]]) -> bytes:
    """The events in compressed columns; `unpack` gives equal ones, with sorted keys."""
    forms: dict[tuple[str, ...], int] = {}
    order = [forms.setdefault(tuple(sorted(event)), len(forms)) for event in events]
    names = sorted({name for form in forms for name in form})
    columns = {name: _column([event[name] for event in events if name in event]) for name in names}
    return MARK + zlib.compress(_encoder.encode([list(forms), order, columns]).encode(), 6)


def unpack(data: bytes) -> list[dict[str, Any]]:
    """The events that `pack` was given."""
    forms, order, columns = json.loads(zlib.decompress(data[len(MARK) :]))
    values = {name: _values(*column) for name, column in columns.items()}
    shapes = [[(name, values[name]) for name in form] for form in forms]
    return [{name: next(column) for name, column in shapes[number]} for number in order]


def _column(values: list[Any]) -> tuple[int, list[Any]]:
    if all(type(value) is int for value in values):
        steps = _steps(values)
        return (STEPS, steps) if len(set(steps)) < len(set(values)) else (PLAIN, values)
    if _is_table(values):
        return STEPS_EACH, [_steps(place) for place in zip(*values, strict=True)]
    return PLAIN, values


def _is_table(values: list[Any]) -> bool:
    """Whether these are lists of whole numbers, all of the same length."""
    width = len(values[0]) if isinstance(values[0], list | tuple) else 0
    return width > 0 and all(
        isinstance(row, list | tuple) and len(row) == width and all(type(one) is int for one in row)
        for row in values
    )


def _values(kind: int, column: list[Any]) -> Iterator[Any]:
    if kind == STEPS:
        return _sums(column)
    if kind == STEPS_EACH:
        return (list(row) for row in zip(*map(_sums, column), strict=True))
    return iter(column)


def _steps(values: Iterable[int]) -> list[int]:
    steps, last = [], 0
    for value in values:
        steps.append(value - last)
        last = value
    return steps


def _sums(steps: Iterable[int]) -> Iterator[int]:
    value = 0
    for step in steps:
        value += step
        yield value
