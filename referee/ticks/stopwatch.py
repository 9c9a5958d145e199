"""Asking both bots at the same moment: the stopwatch of `vitesse` (RULES 7).

Both questions are written before either answer is read, and both answers are read before either bot hears
anything, so that neither can learn what the other chose. Which came first is not even noted.

A tick lasts so many milliseconds of wall time, without those for which the host gave the bot no core. An
answer that comes later than that is discarded when it comes; its bot is told the next tick all the same.
"""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING, Final

from referee.clock import MS
from referee.endings import Termination
from referee.errors import Forfeit, Infrastructure
from referee.judgement import judge
from referee.protocol import Action, ProtocolError, parse_action, quote
from referee.timed_questions import (
    AWAY_NS,
    GRACE_MS,
    PATIENCE_NS,
    SLEEPS,
    STARVED,
    TimedQuestions,
    monotonic_ns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.clock import Clocks
    from referee.player import Player

SEATS: Final = (0, 1)
MOST_OWED: Final = 16
"""A bot that owes so many answers is asked no more until it has given one: its pipe would fill."""
LOOK_S: Final = 0.01
"""How often a bot that thinks is looked at, beside when it says something."""
REMOTE_LOOK_S: Final = 0.05
"""The same where a seat is remote: there are many such games at once, and no core is shared out here."""
NO_FILE_S: Final = 0.0005
"""How long to wait for players that have no file to wait for."""


class Stopwatch(TimedQuestions):
    """Two players with their clocks. After each tick ``heard`` is what each seat answered, None if it was
    late, ``charged`` what that cost it in milliseconds."""

    def __init__(
        self,
        players: Sequence[Player],
        clocks: Clocks,
        idle: Callable[[], object],
        seats: Sequence[int] = SEATS,
    ) -> None:
        """``seats`` are those that are asked here at all: against a person it is one."""
        super().__init__(players, clocks, idle)
        self.seats = tuple(seats)
        self.heard: list[Action | None] = [None, None]
        self.charged = [0, 0]
        self._look_s = REMOTE_LOOK_S if any(rule.wall for rule in clocks.rules) else LOOK_S
        self._tick_ns = 0
        self._begun = 0
        self._nonces = ["", ""]
        self._owed: list[set[str]] = [set(), set()]
        self._pending: set[int] = set()
        self._wrong: dict[int, Forfeit] = {}
        self._starved = [0, 0]

    def willing(self, seat: int) -> bool:
        """Whether the seat can be asked: it does not owe too many answers."""
        return len(self._owed[seat]) < MOST_OWED

    def put(self, questions: Sequence[bytes | None], nonces: Sequence[str], tick_ms: int) -> bool:
        """Write both questions (None to a seat that is not `willing`); whether both answers came at once.

        If they did not, `wait_for_both`. Raises Infrastructure.
        """
        for seat in sorted(self.paused):
            self.seat = seat
            self.players[seat].resume()
        self.paused.clear()
        self.heard = [None, None]
        self._wrong.clear()
        self._pending = set(self.seats)
        self._nonces = list(nonces)
        for seat in self.seats:
            self.seat = seat
            self._starved[seat] = self.players[seat].delayed_ns()
        self.seat = None
        self._tick_ns = tick_ms * MS
        self._away = 0
        self.now = self._begun = monotonic_ns()
        deadline = time.monotonic() + tick_ms / 1000
        for seat, question in enumerate(questions):
            if question is not None:
                self._write(seat, question, deadline)
        grace = self._begun + GRACE_MS * MS
        while self._pending and (left := grace - monotonic_ns()) > 0:
            self._listen_to_all(left / 1e9)
        return not self._pending

    def wait_for_both(self) -> None:
        """Wait until every answer is in or late. Raises Infrastructure."""
        while self._pending:
            for other in self.seats:
                if other not in self._pending and other not in self.paused:
                    self.seat = other
                    self.paused.add(other)
                    self.players[other].pause()
            self._idle()
            for late in sorted(self._pending):
                self.seat = late
                if self._is_late(late):
                    self._take(late)  # it may have answered while we were not running
                    self._give_up(late)
            if self._pending:
                self._listen_to_all(self._look_s)

    def close_tick(self, order: Sequence[int]) -> None:
        """Charge both for the tick. Raises Forfeit of the first in ``order`` that did something wrong."""
        for seat in self.seats:
            self.seat = seat
            self.charged[seat] = self.clocks.charge(seat, self._read(seat), 0)
            if self.clocks.cpu_left[seat] < 0:
                self._wrong.setdefault(seat, self._out_of_time(seat))
        self.seat = self.seats[0] if len(self.seats) == 1 else None
        for seat in order:
            if seat in self._wrong:
                raise self._wrong[seat]

    def _write(self, seat: int, question: bytes, deadline: float) -> None:
        try:
            self.players[seat].send(question, deadline)
        except Exception as error:
            self._blame(seat, self._faulted(seat, judge(error)))

    def _blame(self, seat: int, forfeit: Forfeit) -> None:
        self._pending.discard(seat)
        self._wrong[seat] = forfeit

    def _listen_to_all(self, seconds: float) -> None:
        """Wait at most so long until one of those that are awaited says something, and take what was said."""
        begun = monotonic_ns()
        files = {self.players[seat].fileno(): seat for seat in self._pending}
        if -1 in files:
            time.sleep(min(seconds, NO_FILE_S))
        else:
            waiter = select.poll()
            for each in files:
                waiter.register(each, select.POLLIN)
            waiter.poll(seconds * 1000)
        late = monotonic_ns() - begun - int(seconds * 1e9)
        if late > AWAY_NS:
            self._away += late
        for seat in sorted(self._pending):
            self._take(seat)

    def _take(self, seat: int) -> None:
        """Take what a seat has said so far, up to the answer to this tick."""
        try:
            while seat in self._pending and (line := self.players[seat].receive(0.0)) is not None:
                self._understand(seat, parse_action(line))
        except ProtocolError as error:
            detail = f"Seat {seat} answered wrongly: {error}."
            self._blame(seat, Forfeit(seat, Termination.PROTOCOL, detail))
        except Exception as error:
            self._blame(seat, self._faulted(seat, judge(error)))

    def _understand(self, seat: int, said: Action) -> None:
        """Take an answer, or discard one to an earlier tick. Raises ProtocolError if it is neither."""
        if said.id and said.id == self._nonces[seat]:
            self.heard[seat] = said
            self._pending.discard(seat)
        elif said.id in self._owed[seat]:
            self._owed[seat].discard(said.id)
        else:
            raise ProtocolError(
                f'expected "id" to repeat the question\'s {self._nonces[seat]!r}, got {quote(said.id)}'
                " (one line for each question, nothing unasked)"
            )

    def _give_up(self, seat: int) -> None:
        """The tick is over for a seat, unless it has just answered."""
        if seat in self._pending:
            self._pending.discard(seat)
            if self._nonces[seat]:
                self._owed[seat].add(self._nonces[seat])

    def _is_late(self, seat: int) -> bool:
        """Whether the tick is over for a seat, by its own doing. Raises Infrastructure if by the host's.

        Time that the bot stood ready and was given no core is not its own, as long as it has not used a core
        for a whole tick already.
        """
        player = self.players[seat]
        waited = monotonic_ns() - self._begun - self._away
        if waited <= self._tick_ns:
            return False
        delayed = player.delayed_ns() - self._starved[seat]
        used = player.cpu_ns() - self._spent[seat]
        if waited > self._tick_ns + delayed or used > self._tick_ns:
            return True
        if delayed <= max(PATIENCE_NS, STARVED * used):
            return False
        if player.sleeps() - self._slept[seat] > SLEEPS:
            return True
        raise Infrastructure(
            f"seat {seat} was kept from running for {delayed / 1e9:.1f} s: the host is too busy",
            seat,
        )
