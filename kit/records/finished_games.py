"""Finished games as their records tell them: at the address of a game, in a file, a bundle or a folder."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import engine
from kit.console.command import BadUsage
from kit.records.sources import records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.messages import RecordEvent


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
            self.events: list[RecordEvent] = record["events"]
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
    """The one game at an address or in a file. Raises BadUsage, Unreadable."""
    found = list(itertools.islice(records(source), 2))
    if len(found) != 1:
        raise BadUsage(f"expected one game in {source}, got {'more' if found else 'none'}")
    return Recorded(found[0], source)


def games_in(sources: Sequence[str]) -> Iterator[Recorded]:
    """The finished games at addresses, in files, bundles and folders, read as they are asked for.

    The first is read at once. Raises BadUsage if there is none, Unreadable.
    """
    found = (
        Recorded(record, source)
        for source in sources
        for record in records(source)
        if record.get("result")  # a bundle may have games that were broken off
    )
    first = next(found, None)
    if first is None:
        raise BadUsage(f"expected records of finished games in {', '.join(sources)}, got none")
    return itertools.chain([first], found)
