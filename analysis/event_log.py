"""Event logs: their numbering, their hash chain, and the two compressed forms they are kept in.

Records of finished games are kept by columns: all values of one name stand together, and numbers that grow
are kept as steps. Compressed, that takes less than half of what the same log takes line by line.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Any, Final, cast

from analysis.errors import BrokenChain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from referee.messages import RecordEvent

CHAIN_START: Final = b"crapette-arena/1/"


_canonical: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
MARK: Final = b"\x01"
"""The first byte. A log that was packed line by line begins with zlib's."""

PLAIN: Final = 0
STEPS: Final = 1
STEPS_EACH: Final = 2
"""What a column holds: values, the steps from one to the next, or such steps for each place of lists."""


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no spaces: the form that is hashed."""
    return _canonical.encode(value).encode("utf-8")


class Chain:
    """A hash chain over an event log.

    Link 0 is SHA-256 of the start line, each further one SHA-256(link before ‖ canonical event).
    The last link, published with the result, fixes every event and the order of all.
    """

    def __init__(self, start: str) -> None:
        self._link = hashlib.sha256(CHAIN_START + start.encode("utf-8")).digest()
        self.count = 0

    @property
    def link(self) -> str:
        """The last link, 64 hex digits."""
        return self._link.hex()

    def add(self, events: Iterable[Mapping[str, Any]]) -> list[bytes]:
        """Append events and return them in canonical form; `BrokenChain` unless their numbers go on without
        a gap."""
        lines = []
        for event in events:
            if event.get("n") != self.count:
                raise BrokenChain(f"expected event {self.count}, got {event.get('n')!r}")
            line = canonical(event)
            self._link = hashlib.sha256(self._link + line).digest()
            self.count += 1
            lines.append(line)
        return lines


def chain(start: str, events: Iterable[Mapping[str, Any]]) -> str:
    """The last link of the chain over a whole log, 64 hex digits."""
    links = Chain(start)
    links.add(events)
    return links.link


def body_hash(game: str, link: str, result: Mapping[str, Any]) -> str:
    """SHA-256 of what an attempt delivers: the game, its events' last link, its result."""
    return hashlib.sha256(canonical({"game": game, "chain": link, "result": result})).hexdigest()


def pack(events: Sequence[Mapping[str, Any]]) -> bytes:
    """Events as zlib-compressed JSON lines, about 20 bytes a ply."""
    return zlib.compress(b"\n".join(map(canonical, events)), 6)


def unpack(data: bytes) -> list[RecordEvent]:
    """The events that were packed, by lines or by columns."""
    if data.startswith(MARK):
        return cast("list[RecordEvent]", _unpack_columns(data))
    return parse(zlib.decompress(data))


def unpack_lines(data: bytes) -> bytes:
    """The same as JSON lines in canonical form."""
    if data.startswith(MARK):
        return b"\n".join(map(canonical, _unpack_columns(data)))
    return zlib.decompress(data)


def parse(lines: bytes) -> list[RecordEvent]:
    """The events of JSON lines."""
    # As one list: a third of the time of reading each line. JSON has no line break inside a line.
    events: list[RecordEvent] = json.loads(b"[" + lines.replace(b"\n", b",") + b"]")
    return events


def pack_columns(events: Sequence[Mapping[str, Any]]) -> bytes:
    """The events in compressed columns; `unpack` gives equal ones, with sorted keys."""
    forms: dict[tuple[str, ...], int] = {}
    order = [forms.setdefault(tuple(sorted(event)), len(forms)) for event in events]
    names = sorted({name for form in forms for name in form})
    columns = {name: _column([event[name] for event in events if name in event]) for name in names}
    return MARK + zlib.compress(canonical([list(forms), order, columns]), 6)


def _unpack_columns(data: bytes) -> list[dict[str, Any]]:
    """The events that `pack_columns` was given."""
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
