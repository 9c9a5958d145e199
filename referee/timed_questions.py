"""Asks players questions and charges their clocks for the answers.

A bot that waits should not compute. Stopping and waking it costs 16 µs, which is more than most answers cost.
So it happens only when the other bot takes longer than `GRACE_MS`. The little CPU time a bot uses before it
is stopped is charged with its next answer, because its clock is the CPU time of its process.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

from referee.clock import MS, Clocks
from referee.endings import Termination
from referee.errors import Forfeit, Infrastructure
from referee.judgement import judge
from referee.player import Player, PlayerFault, ShortWay
from referee.protocol import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GRACE_MS: Final = 1
LOOK_NS: Final = 500_000
"""Answers that took less than this together are charged with the next one: they are below the clock's
milliseconds."""
SLICE_S: Final = 0.1
"""How often the clock of a thinking bot and the supervisor are checked."""
AWAY_NS: Final = 200_000_000
"""If we wake this much too late, we were not running ourselves, and the time is not the bot's."""

PATIENCE_NS: Final = 60_000_000_000
"""The least time to wait for a host that gives a bot almost no core, before the game is void."""
STARVED: Final = 20
"""If a bot waited this many times longer for a core than it had one, the host is too busy to play."""
SLEEPS: Final = 1000
"""A bot that gave its core away this often has only itself to blame, however busy the host is."""
START_PATIENCE: Final = 6
"""How many times the start-up time is allowed if the host gives the bots no core."""

monotonic_ns: Final = time.monotonic_ns


class TimedQuestions:
    """The players of a game with their clocks.

    ``idle`` is called repeatedly during long waits. ``ms`` is what the last answer cost, in milliseconds, and
    ``now`` the time of the last question (`time.monotonic_ns`). ``seat`` is the one that all this concerns
    now: it was asked last. None if that cannot be said of one seat. ``paused`` are the seats that were
    stopped, and ``unread`` is the time of each that its clock has not been read for.
    """

    __slots__ = (
        "_away",
        "_begun_cpu",
        "_delayed",
        "_idle",
        "_ready",
        "_slept",
        "_spent",
        "clocks",
        "ms",
        "now",
        "paused",
        "players",
        "seat",
        "unread",
    )

    def __init__(self, players: Sequence[Player], clocks: Clocks, idle: Callable[[], object]) -> None:
        self.players = players
        self.clocks = clocks
        self._idle = idle
        self._away = 0
        self._begun_cpu = [0] * len(players)
        self._spent = [0] * len(players)
        self._delayed = [0] * len(players)
        self._slept = [0] * len(players)
        self.paused: set[int] = set()
        self._ready = [False] * len(players)
        self.unread = [0] * len(players)
        self.ms = 0
        self.now = monotonic_ns()
        self.seat: int | None = None

    def cpu_ns(self) -> tuple[int, ...]:
        """The CPU time charged to each seat, in nanoseconds."""
        return tuple(now - start for now, start in zip(self._spent, self._begun_cpu, strict=True))

    def usage(self) -> tuple[int, int]:
        """What all bots used until now, and how long they stood ready without a core, in nanoseconds; of each
        since its clock was started."""
        return (
            sum(player.cpu_ns() - begun for player, begun in zip(self.players, self._begun_cpu, strict=True)),
            sum(
                player.delayed_ns() - begun for player, begun in zip(self.players, self._delayed, strict=True)
            ),
        )

    def start_clock(self, seat: int) -> None:
        """Start the clock of a seat. Everything it used before was start-up and is free."""
        player = self.players[seat]
        self._begun_cpu[seat] = self._spent[seat] = player.cpu_ns()
        self._delayed[seat] = player.delayed_ns()
        self._slept[seat] = player.sleeps()
        self._ready[seat] = True

    def greet(self, seat: int, line: bytes, deadline: float) -> None:
        """Send a line off the clock. Raises PlayerFault."""
        self.seat = seat
        self.players[seat].send(line, deadline)

    def hear(self, seat: int, seconds: float, begun: float) -> bytes:
        """Wait, off the clock, for the line that says the bot is ready.

        It has ``seconds`` from ``begun`` on, not counting time without a core. Raises PlayerFault, Forfeit,
        Infrastructure.
        """
        self.seat = seat
        deadline = begun + seconds
        while True:
            left = deadline + self._away / 1e9 - time.monotonic()
            line = self._listen(seat, min(SLICE_S, max(0.0, left)))
            if line is not None:
                return line
            self._idle()
            now = time.monotonic() - self._away / 1e9
            if now >= deadline:
                self._late_start(seat, seconds, now - begun)
                deadline = now + SLICE_S

    def ask(self, seat: int, line: bytes) -> bytes | None:
        """Send a question.

        Return the answer if it comes at once; otherwise None: call `wait`. Raises Forfeit.
        """
        player, wall_left, unread = self.players[seat], self.clocks.wall_left, self.unread
        self.seat = seat
        if self.paused and seat in self.paused:
            self.paused.discard(seat)
            player.resume()
        self.now = begun = monotonic_ns()
        try:
            reply = player.ask(line, wall_left[seat] / 1e9, GRACE_MS)
        except PlayerFault as fault:
            raise self._faulted(seat, fault) from fault
        if reply is None:
            return None
        wall = monotonic_ns() - begun
        if (waited := unread[seat] + wall) < LOOK_NS:
            unread[seat] = waited
            wall_left[seat] -= wall
            self.ms = 0
        else:
            self.charge(seat, wall)
        return reply

    def send_rest(self, seat: int, way: ShortWay, line: bytes) -> None:
        """See to it that a question is sent which was not answered at once on a short way. Raises Forfeit."""
        try:
            way.send_rest(line, self.clocks.wall_left[seat] / 1e9)
        except PlayerFault as fault:
            raise self._faulted(seat, fault) from fault

    def wait(self, seat: int) -> bytes:
        """Wait for an answer that did not come at once. Raises Forfeit, Infrastructure."""
        try:
            reply = self._wait(seat, self.now)
        except PlayerFault as fault:
            raise self._faulted(seat, fault) from fault
        self.charge(seat, monotonic_ns() - self.now - self._away)
        return reply

    def _listen(self, seat: int, seconds: float) -> bytes | None:
        """Wait at most this long for a line, and add up how much longer the waits took."""
        begun = monotonic_ns()
        line = self.players[seat].receive(time.monotonic() + seconds)
        late = monotonic_ns() - begun - int(seconds * 1e9)
        if late > AWAY_NS:
            self._away += late
            line = line or self.players[seat].receive(time.monotonic())  # what came meanwhile
        return line

    def charge(self, seat: int, wall: int) -> None:
        """Charge a seat for an answer that took this long. Raises Forfeit."""
        self.ms = self.clocks.charge(seat, self._read(seat), wall)
        if self.clocks.cpu_left[seat] < 0:
            raise self._out_of_time(seat)

    @contextlib.contextmanager
    def forfeits(self) -> Iterator[None]:
        """Turn errors that nobody foresaw into the forfeit of the ``seat`` that they concern.

        Raises Forfeit, Infrastructure.
        """
        try:
            yield
        except Exception as error:
            fault = judge(error)
            if self.seat is None:
                raise
            raise self._faulted(self.seat, fault) from fault

    @staticmethod
    def _faulted(seat: int, fault: PlayerFault) -> Forfeit:
        forfeit = Forfeit(seat, fault.termination, f"Seat {seat} {fault.detail}.")
        forfeit.__cause__ = fault
        return forfeit

    def _read(self, seat: int) -> int:
        """Read a seat's CPU clock; return what it used since it was last read."""
        now = self.players[seat].cpu_ns()
        used = now - self._spent[seat]
        self._spent[seat] = now
        self.unread[seat] = 0
        return used

    def settle(self) -> None:
        """After the game, charge every seat for the time not charged yet. Raises nothing."""
        for seat in range(len(self.players)):
            if self._ready[seat]:
                with contextlib.suppress(Exception):
                    self.clocks.charge(seat, self._read(seat), 0)

    def _wait(self, seat: int, begun: int) -> bytes:
        """Wait for a slow answer: stop the other bots and watch the clocks."""
        player, clocks = self.players[seat], self.clocks
        for other in range(len(self.players)):
            if other != seat and other not in self.paused:
                self.paused.add(other)
                self.seat = other
                self.players[other].pause()
        self.seat = seat
        self._away = 0
        while True:
            self._idle()
            cpu_left = clocks.cpu_left[seat] - (player.cpu_ns() - self._spent[seat])
            waited = monotonic_ns() - begun - self._away
            if cpu_left < 0:
                clocks.charge(seat, self._read(seat), waited)
                raise self._out_of_time(seat)
            if waited > clocks.wall_left[seat]:
                self._wall_tripped(seat, waited)
            # CPU time passes no faster than wall time, so there is no need to look before the bank could be
            # empty.
            reply = self._listen(seat, min(SLICE_S, cpu_left / 1e9 + 0.001))
            if reply is not None:
                return reply

    def _out_of_time(self, seat: int) -> Forfeit:
        given = self.clocks.given[seat] / 1e9
        what = f"{given:g} seconds" if self.clocks.rules[seat].wall else f"{given:g} seconds of CPU time"
        return Forfeit(seat, Termination.TIMEOUT, f"Seat {seat} used up its clock: all {what} it was given.")

    def _wall_tripped(self, seat: int, waited: int) -> None:
        """Decide whether a late answer is the bot's fault (it slept) or the host's (it got no core).

        Time in which the bot was ready but had no core does not count. Returns while an answer may still
        come. The game is void once the host has kept the bot waiting for as long as the guard itself and
        `PATIENCE_NS`, and gave it almost no CPU time.
        """
        player, clocks = self.players[seat], self.clocks
        delayed = player.delayed_ns() - self._delayed[seat]
        if waited > clocks.wall_left[seat] + delayed:
            raise self._silent(seat, waited)
        used = player.cpu_ns() - self._spent[seat]
        if delayed <= max(clocks.wall_given(seat), PATIENCE_NS, STARVED * used):
            return
        if player.sleeps() - self._slept[seat] > SLEEPS:
            raise self._silent(seat, waited)
        raise Infrastructure(
            f"seat {seat} was kept from running for {delayed / 1e9:.1f} s: the host is too busy",
            seat,
        )

    def _silent(self, seat: int, waited: int) -> Forfeit:
        clocks = self.clocks
        clocks.charge(seat, self._read(seat), waited)
        used = (clocks.given[seat] - clocks.cpu_left[seat]) // MS
        return Forfeit(
            seat,
            Termination.SILENCE,
            f"Seat {seat} did not answer within {waited / 1e9:.1f} seconds. It had used"
            f" {used} ms of its {clocks.given[seat] // MS} ms of CPU time.",
        )

    def _late_start(self, seat: int, seconds: float, waited: float) -> None:
        """Decide whose fault a late start is, like `_wall_tripped`.

        Returns while the bot may still be ready.
        """
        player = self.players[seat]
        delayed = player.delayed_ns() / 1e9
        hopeless = waited >= START_PATIENCE * seconds
        if waited - delayed < seconds and not hopeless:
            return
        if hopeless and player.cpu_ns() / 1e9 < seconds / 10 and player.sleeps() <= SLEEPS:
            raise Infrastructure(f"seat {seat} was not given a core to start on: the host is too busy", seat)
        more = f", nor in {delayed:.0f} more for which it had no core" if delayed >= 1 else ""
        raise Forfeit(
            seat, Termination.STARTUP, f"Seat {seat} was not ready after {seconds:g} seconds{more}."
        )

    @contextlib.contextmanager
    def starting(self, seat: int) -> Iterator[None]:
        """Turn errors before a seat is ready into its forfeit."""
        try:
            yield
        except PlayerFault as fault:
            raise Forfeit(
                seat, Termination.STARTUP, f"Seat {seat} was not ready to play: it {fault.before_ready}."
            ) from fault
        except ProtocolError as error:
            raise Forfeit(
                seat, Termination.STARTUP, f"Seat {seat} did not say that it was ready: {error}."
            ) from error
