"""The format of downloads that can be verified: lines of canonical JSON with digests of their fields.

A bundle is a file of lines (JSON Lines, https://jsonlines.org), every line one object with a ``kind``, the
last of kind ``end`` with the number of lines before it and the SHA-256 of their bytes. A game is a record
with a ``proof``. Each object carries ``digests``, four bytes in hex for each of its fields, so that damage is
located and not just detected. For the same reason, a game carries the first digits of every link of its hash
chain. These do not make a result hard to forge. The commitments and the chain do, and the fact that
everything derivable is computed again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from analysis.event_log import Chain, canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FORMAT: Final = 1
STATISTICS: Final = 2
"""How errors and tie-breaks are computed. In the first way, of bundles that do not say, errors vanished on
level pairs, byes cost tie-breaks, head-to-head counted between bots that had not met, and a gauntlet or a
knock-out that went on was ordered by points."""
DIGITS: Final = 8
"""Hex digits of a field's digest, and of a link's beginning."""

UNDIGESTED: Final = ("digests", "events", "links")


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield all values that are not containers (or are empty ones), with their paths, such as
    ``seats[0].bot``."""
    if isinstance(value, dict) and value:
        for name in sorted(value):
            if path or name not in UNDIGESTED:
                yield from leaves(value[name], f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for index, one in enumerate(value):
            yield from leaves(one, f"{path}[{index}]")
    else:
        yield path, value


def digest(path: str, value: object) -> str:
    """Return the digest of one field: eight hex digits."""
    return hashlib.sha256(canonical([path, value])).hexdigest()[:DIGITS]


def add_digests(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object with the digests of its fields."""
    return {**found, "digests": "".join(digest(path, value) for path, value in leaves(dict(found)))}


def find_damage(found: Mapping[str, Any]) -> list[tuple[str, object]]:
    """Yield the fields (path and value) whose digest is missing in the object."""
    carried = found.get("digests")
    if not isinstance(carried, str):
        return [("digests", carried)]
    known = set(chunks(carried))
    fields = list(leaves(dict(found)))
    bad = [(path, value) for path, value in fields if digest(path, value) not in known]
    if not bad and len(carried) != DIGITS * len(fields):
        bad.append(("digests", f"{len(carried)} digits for {len(fields)} fields"))
    return bad


def chunks(text: str) -> list[str]:
    """Split a text into digests."""
    return [text[at : at + DIGITS] for at in range(0, len(text), DIGITS)]


def links(start: str, events: Iterable[Mapping[str, Any]]) -> str:
    """Return the first digits of every link of a log's chain except the first, concatenated."""
    chain = Chain(start)
    found = []
    for event in events:
        chain.add([event])
        found.append(chain.link[:DIGITS])
    return "".join(found)


class BundleWriter:
    """Writes a bundle: bytes of one line at a time, and the last line that closes it."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._count = 0

    def line(self, kind: str, found: Mapping[str, Any]) -> bytes:
        """Return one object as a line."""
        text = canonical(add_digests({"kind": kind, **found})) + b"\n"
        self._hash.update(text)
        self._count += 1
        return text

    def end(self) -> bytes:
        """Return the closing line."""
        return canonical({"kind": "end", "lines": self._count, "sha256": self._hash.hexdigest()}) + b"\n"


def round_measured(value: float | None) -> float | None:
    """Return a measured number as it is published.

    The last digits are dropped, since machines differ in them.
    """
    return None if value is None else round(value, 4)


def groups(ranking: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return a ranking in the form of JSON."""
    return [list(group) for group in ranking]
