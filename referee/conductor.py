"""What every referee does: greets the bots, plays, writes the record, reports the result, keeps evidence."""

from __future__ import annotations

import contextlib
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

from referee.clock import MS
from referee.errors import Forfeit
from referee.greeting import greet_all
from referee.judgement import Unforeseen
from referee.log import Log, encode
from referee.protocol import Ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.endings import GameEnding, GameResult
    from referee.player import PlayerEvidence
    from referee.timed_questions import TimedQuestions

BATCH_NS: Final = 40_000_000
"""The longest time before played moves are reported."""


class Conductor(ABC):
    """Plays one game. Iterate over `play` for the lines of the record, then read ``result``.

    ``admit`` is called with what the bots said once all are ready; what it raises ends the game.
    ``trouble`` is the trace of an error that nobody foresaw, if the game ended by one.
    ``_lines`` are lines of the record not yielded yet. ``_events`` are all events as JSON without the first
    brace, and ``_told`` says how many of them each seat has been told.
    """

    def __init__(
        self, variant: str, asking: TimedQuestions, ids: Iterator[str], start_seconds: float
    ) -> None:
        seats = len(asking.players)
        self.players = asking.players
        self.clocks = asking.clocks
        self.result: GameResult | None = None
        self.trouble = ""
        self.ready = [Ready()] * seats
        self.admit: Callable[[list[Ready]], object] = lambda _: None
        self.ready_at, self.ready_cpu = time.monotonic_ns(), time.process_time_ns()
        self._variant = variant
        self._asking = asking
        self._ids = ids
        self._start_seconds = start_seconds
        self._log = Log()
        self._lines: list[str] = []
        self._events: list[str] = []
        self._told = [0] * seats
        self._asked = [False] * seats

    def play(self) -> Iterator[list[str]]:
        """Play the game and yield the lines of its record; the last has the result. Raises Infrastructure."""
        try:
            with self._asking.forfeits():
                try:
                    self._start()
                    self.ready_at, self.ready_cpu = time.monotonic_ns(), time.process_time_ns()
                    yield from self._moves()
                except Forfeit as forfeit:
                    self._forfeit(forfeit)
        except Forfeit as forfeit:
            self._forfeit(forfeit)
        assert self.result is not None  # noqa: S101
        yield [*self._written(), self._log.end(self.result, self.clocks.text)]

    def _forfeit(self, forfeit: Forfeit) -> None:
        """End the game by a seat's fault, and keep the trace of an error that nobody foresaw."""
        if isinstance(forfeit.__cause__, Unforeseen):
            self.trouble = forfeit.__cause__.trace
        self._write()
        self.result = self._ended(self._forfeited(forfeit))

    @property
    def bots_cpu_us(self) -> int:
        """CPU time of all bots since they were ready, in microseconds; a remote one's is not known."""
        used = zip(self._asking.cpu_ns(), self.clocks.rules, strict=True)
        return sum(spent for spent, rule in used if not rule.wall) // 1000

    def broken_off(self, termination: str, detail: str) -> dict[str, Any]:
        """What is said of a game that was left unfinished, in the form of a result: nobody won or lost.

        ``took`` says how long it went on since the bots were ready, or were started, in milliseconds: of the
        wall, of the bots' CPU time together, and of time in which they had no core.
        """
        plies, turns = self._length()
        cpu_ns, delayed_ns = self._asking.usage()
        return {
            "termination": termination,
            "seat": None,
            "detail": detail,
            "ranking": [],
            "points": [],
            "left": [],
            "plies": plies,
            "turns": turns,
            "cpu_ms": [used // MS for used in self._asking.cpu_ns()],
            "took": {
                "wall_ms": (time.monotonic_ns() - self.ready_at) // MS,
                "cpu_ms": cpu_ns // MS,
                "delayed_ms": delayed_ns // MS,
            },
        }

    def unwritten(self) -> list[str]:
        """The record's lines of what was played before a game was broken off, and not yielded yet."""
        return self._written()

    def close(self) -> list[PlayerEvidence]:
        """Tell the bots the result, end them, and return the evidence of each. Raises nothing."""
        if self.result is not None:
            result = encode(self.result.as_dict())
            for seat, player in enumerate(self.players):
                with contextlib.suppress(Exception):  # the result is known: nothing may change it now
                    news = self._news(seat) if self.ready[seat].events else ""
                    player.farewell(f'{{"type":"end","result":{result}{news}}}\n'.encode())
        return [player.close() for player in self.players]

    def _start(self) -> None:
        """Greet every bot. Raises Forfeit, Infrastructure."""
        self.ready = greet_all(self._asking, self._variant, self._start_seconds)
        self._asking.seat = None
        self.admit(self.ready)

    @abstractmethod
    def _moves(self) -> Iterator[list[str]]:
        """Ask, make moves and record them until the game has its result. Raises Forfeit, Infrastructure."""

    @abstractmethod
    def _forfeited(self, forfeit: Forfeit) -> GameEnding:
        """Return how the game ends when a seat forfeits it now."""

    @abstractmethod
    def _length(self) -> tuple[int, int]:
        """Plies and turns played."""

    def _write(self) -> None:  # noqa: B027 (what is written at once needs none)
        """Write what was played and is not written yet."""

    def _written(self) -> list[str]:
        """Return the lines of the record that have not been yielded yet."""
        self._write()
        lines, self._lines = self._lines, []
        return lines

    def _news(self, seat: int) -> str:
        """Write the events since the seat was last told."""
        self._write()
        news = self._events[self._told[seat] :]
        self._told[seat] = len(self._events)
        return f',"events":[{{{",{".join(news)}]' if news else ',"events":[]'

    def _ended(self, ending: GameEnding) -> GameResult:
        self._asking.settle()
        plies, turns = self._length()
        cpu_ms = tuple(used // MS for used in self._asking.cpu_ns())
        return ending.result(plies=plies, turns=turns, cpu_ms=cpu_ms)
