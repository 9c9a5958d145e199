"""Finds records of games: at the address of a game, in a file, a bundle or a folder."""

from __future__ import annotations

import json
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
from kit.site import Site, origin_of
from kit.usage import BadUsage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.records import Event

LARGEST: Final = 64 << 20
"""Bytes of a file that is read; a record has about 100 KB, a bundle of a large tournament some MB."""


class Recorded:
    """A finished game as its record tells it. Raises BadUsage unless it is one."""

    def __init__(self, record: object, source: str) -> None:
        if not isinstance(record, dict) or not isinstance(record.get("events"), list):
            raise BadUsage(f"expected the record of a game in {source}, got something else")
        self.record: dict[str, Any] = record
        self.source = source
        self.name = str(record.get("game", source))
        if not record.get("result"):
            raise BadUsage(
                f"expected a finished game, but {source} is not over: hidden cards are still secret"
            )
        try:
            self.start = engine.Position.parse(record["start"])
            self.events: list[Event] = record["events"]
            self.words = engine.words_of(self.events)
            self.seats = [str(seat["bot"]) for seat in record["seats"]]
            self.result: dict[str, Any] = dict(record["result"])
            self.termination = str(self.result["termination"])
            if len(self.seats) != self.start.players:
                raise ValueError(f"{self.start.players} seats, but {len(self.seats)} bots")
            if self.result.get("seat") not in (None, *range(self.start.players)):
                raise ValueError(f"there is no seat {self.result['seat']!r}")
            if any(not isinstance(one, dict) for one in record.get("evidence") or ()):
                raise ValueError("what the bots left behind is no object for each")
            replay = engine.Game.replay(self.start, self.words)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise BadUsage(f"expected the record of a game in {source}, got a broken one: {error}") from None
        if replay.error is not None:
            raise BadUsage(f"the game in {source} is broken after {replay.played} moves: {replay.error}")
        if "??" in str(self.start):
            raise BadUsage(f"expected all cards of the deal in {source}, but some are hidden")

    @property
    def variant(self) -> str:
        """The game's variant."""
        return self.start.variant

    @property
    def clock(self) -> tuple[int, int] | None:
        """The clock's bank and increment in milliseconds, None if nobody had one."""
        clock = self.record.get("clock") or {}
        return (int(clock["bank_ms"]), int(clock["increment_ms"])) if "bank_ms" in clock else None

    @property
    def url(self) -> str | None:
        """Its page, if it came from a site."""
        return self.source if "://" in self.source else None

    @property
    def words_on_it(self) -> str:
        """Who played and how it ended, in one line."""
        detail = str(self.result.get("detail") or self.termination)
        return f"{' – '.join(self.seats)}: {detail} ({self.result.get('plies', len(self.words))} plies)"


def game_at(source: str) -> Recorded:
    """The one game at an address or in a file. Raises BadUsage, Refused."""
    found = list(_records(source))
    if len(found) != 1:
        raise BadUsage(f"expected one game in {source}, got {len(found)}")
    return Recorded(found[0], source)


def games_in(sources: Sequence[str]) -> list[Recorded]:
    """All finished games at addresses, in files, bundles and folders. Raises BadUsage, Refused."""
    found = [
        Recorded(record, source)
        for source in sources
        for record in _records(source)
        if record.get("result") and "events" in record
    ]
    if not found:
        raise BadUsage(f"expected records of finished games in {', '.join(sources)}, got none")
    return found


def _records(source: str) -> Iterator[dict[str, Any]]:
    """Every record at a source, unchecked. Raises BadUsage, Refused."""
    if "://" in source:
        yield from _parsed(Site(origin_of(source)).read(_path_of(source)), source)
        return
    path = Path(source)
    try:
        if path.is_dir():
            for file in sorted(path.glob("*.json*")):
                yield from _parsed(file.read_bytes(), str(file))
            return
        if path.stat().st_size > LARGEST:
            raise BadUsage(f"expected a file of at most {LARGEST >> 20} MB, got {source}")
        yield from _parsed(path.read_bytes(), source)
    except OSError as error:
        raise BadUsage(
            f"expected the address of a game, a file or a folder, got {source!r}: {error.strerror}"
        ) from None


def _path_of(source: str) -> str:
    """What to download for the address of a page. Raises BadUsage."""
    parts = [part for part in urllib.parse.urlsplit(source).path.split("/") if part]
    match parts:
        case ["api", "v1", "games", game, *_] | ["games", game, *_]:
            return f"/games/{urllib.parse.quote(game)}/record.json"
        case ["tournaments", slug, *_]:
            return f"/tournaments/{urllib.parse.quote(slug)}/bundle.jsonl"
    raise BadUsage(f"expected the address of a game or tournament, got {source[:200]!r}")


def _parsed(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """The records in a file: one JSON object, or one a line."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        more = " (decompress it first: zstd -d)" if content[:4] == b"\x28\xb5\x2f\xfd" else ""
        raise BadUsage(f"expected JSON in {source}, got other bytes{more}") from None
    try:
        whole = [json.loads(text)]
    except RecursionError:
        raise BadUsage(f"expected JSON in {source}, got brackets within brackets without end") from None
    except ValueError:
        try:
            whole = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            raise BadUsage(f"expected JSON in {source}: {error}") from None
    yield from (record for record in whole if isinstance(record, dict))
