"""A bot on its author's own hardware, as the referee's player.

This process has no network. A line for the bot goes to whoever started us, on standard output, and what
became of it comes back on standard input (`RemoteNews`), each with the id of its sitting. Between us and the
author lie a worker, a message bus and the process that holds the author's connection; any of them may lose a
line or end. So lines are numbered, an answer counts once, and whoever forwards a line keeps it until it was
answered.

**The clock** is wall time as the author sees it: the time from where the serving process writes a line to the
connection until it reads the answer there, which comes with the answer. What else passes here is the arena's
own and free. While the author's connection is lost the clock runs on, and a seat may be without one for
`LOST_S` in all. Nobody is charged while it is the arena that does not find the connection (`adrift`); if
that lasts, the game is void.
"""

from __future__ import annotations

import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict

from referee.endings import Termination
from referee.errors import Forfeit, Infrastructure
from referee.job import REMOTE
from referee.log import encode
from referee.player import MESSAGE_CHARS, MESSAGES_KEPT, PlayerEvidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.child import Lines
    from referee.job import Job
    from referee.messages import RemoteLine

LOST_S: Final = 30
"""How long a seat may be without a connection in a whole game."""
ADRIFT_S: Final = 60
"""How long the arena may look for a connection that nobody has said is lost; then the game is void."""
MOST_SHARE_NS: Final = 250_000_000
"""The most that is expected of the arena's own share of an answer that has not come yet."""
PREFIX: Final = '{"sitting":'
"""How all news begins, and no job."""

monotonic_ns: Final = time.monotonic_ns


class RemoteNews(TypedDict):
    """What came of a remote seat: an answer to line ``n`` that took its author so many microseconds, or what
    happened to its connection.

    - ``lost``: the author's side has closed it. ``late`` says that this was learned only after it was back.
    - ``back``: there is one again, and the lines that are not answered are written to it.
    - ``adrift``: nobody knows where it is.
    - ``gone``: the author has left the game; ``program``: the author is back, but the program is not;
      ``ours``: the same, but the arena may have told the author that the game is void.
    """

    sitting: str
    n: NotRequired[int]
    line: NotRequired[str]
    us: NotRequired[int]
    do: NotRequired[str]


class RemotePlayer:
    """Implements `referee.player.Player` with lines to and from somewhere else."""

    def __init__(self, seat: int, sitting: str, link: RemoteLink) -> None:
        self.spawned_us = 0
        self._seat = seat
        self._sitting = sitting
        self._link = link
        self._n = 0
        self._open: dict[int, int] = {}  # when each line was written that is not answered, by its number
        self._inbox: deque[bytes] = deque()
        self._messages: deque[tuple[str, str]] = deque(maxlen=MESSAGES_KEPT)
        self._used = 0
        self._running_since = 0
        self._share = self._last_share = 0
        self._lost_at: int | None = None
        self._lost_ns = 0
        self._unproved = 0
        self._adrift_at: int | None = None
        self._exit = "was connected to the end"

    @property
    def attestation(self) -> dict[str, object]:
        """Nothing is proved of a program that runs elsewhere."""
        return {"remote": True}

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line that is to be answered."""
        now = monotonic_ns()
        if not self._open:
            self._running_since = now
        number = self._write(line)
        self._open[number] = now

    def _write(self, line: bytes) -> int:
        self._n += 1
        text = line.decode().rstrip("\n")
        self._messages.append(("to", text[:MESSAGE_CHARS]))
        self._link.write({"type": "line", "sitting": self._sitting, "n": self._n, "line": text})
        return self._n

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Write a line. The answer never comes at once."""
        self.send(line, 0.0)
        return None

    def short_way(self) -> None:
        """There is none: its lines go through others' pipes."""

    def receive(self, deadline: float) -> bytes | None:
        """Return the next answer, or None at the deadline."""
        while not self._inbox:
            left = deadline - time.monotonic()
            self._link.listen(max(0.0, left))
            if left <= 0 and not self._inbox:
                return None
        return self._inbox.popleft()

    def fileno(self) -> int:
        """Return the descriptor that all remote seats share."""
        return self._link.fileno()

    def cpu_ns(self) -> int:
        """Return how long the author's side took to answer so far, in wall time."""
        if not self._open or self._adrift_at is not None:
            return self._used
        return self._used + max(0, monotonic_ns() - self._running_since - self._last_share)

    def delayed_ns(self) -> int:
        """Return the arena's own share of the time until the answers came, with what is to be expected of the
        one that is awaited."""
        return self._share + (self._last_share if self._open else 0)

    def sleeps(self) -> int:
        """Nobody knows."""
        return 0

    def pause(self) -> None:
        """It has its own machine."""

    def resume(self) -> None:
        """It has its own machine."""

    def farewell(self, line: bytes) -> None:
        """Write the result, which is not answered."""
        self._write(line)

    def close(self) -> PlayerEvidence:
        """Return what is kept; whoever started us tells the author that the game is over."""
        cpu_ms = self._used // 1_000_000
        return PlayerEvidence(list(self._messages), exit=self._exit, cpu_ms=cpu_ms)

    def kill(self) -> None:
        """Nothing runs here."""

    def hear(self, news: RemoteNews) -> None:
        """Take an answer, or what happened to the connection. Raises Forfeit."""
        if "n" in news:
            self._answered(news["n"], news["line"], max(0, news["us"]) * 1000)
            return
        now = monotonic_ns()
        match news["do"]:
            case "lost":
                self._adrift_at = None
                self._lost_at = self._lost_at or now
            case "late":
                self._used += self._unproved
                self._share -= self._unproved
                self._unproved = 0
            case "back":
                self._back(now)
            case "adrift":
                if self._lost_at is None:
                    self._adrift_at = self._adrift_at or now
            case "ours":  # it was told that the game is void: as if it had not been found for too long
                self._lost_at, self._adrift_at = None, now - (ADRIFT_S + 1) * 1_000_000_000
            case "gone":
                raise self._disconnected(f"Seat {self._seat} left the game.")
            case "program":
                raise self._disconnected(
                    f"Seat {self._seat} came back without the program that played this game."
                )

    def _answered(self, number: int, line: str, took: int) -> None:
        """Take an answer, once."""
        written = self._open.pop(number, None)
        if written is None:
            return
        now = monotonic_ns()
        self._adrift_at = None
        passed = now - self._running_since
        took = min(took, passed)
        self._used += took
        self._last_share = min(passed - took, MOST_SHARE_NS)
        self._share += passed - took
        self._running_since = now
        self._messages.append(("from", line[:MESSAGE_CHARS].replace("\0", "\N{REPLACEMENT CHARACTER}")))
        self._inbox.append(line.encode())

    def _back(self, now: int) -> None:
        """There is a connection again. What passed since the question is the seat's own if it lost the
        connection, and what it may still turn out to have lost is remembered. Raises Forfeit."""
        passed = now - self._running_since if self._open else 0
        if self._lost_at is not None:
            self.check()
            self._lost_ns += now - self._lost_at
            self._used += passed
        else:
            self._unproved = passed
            self._share += passed
        self._lost_at = self._adrift_at = None
        self._running_since = now

    def check(self) -> None:
        """Raise Forfeit if the seat was without a connection for too long, Infrastructure if the arena did
        not find it for too long."""
        if self._lost_at is not None:
            if self._lost_ns + monotonic_ns() - self._lost_at > LOST_S * 1_000_000_000:
                raise self._disconnected(
                    f"Seat {self._seat} was disconnected for more than {LOST_S} seconds."
                )
        elif self._adrift_at is not None and monotonic_ns() - self._adrift_at > ADRIFT_S * 1_000_000_000:
            raise Infrastructure(f"seat {self._seat} was not found for {ADRIFT_S} seconds")

    def _disconnected(self, detail: str) -> Forfeit:
        self._exit = detail.removeprefix(f"Seat {self._seat} ").rstrip(".")
        return Forfeit(self._seat, Termination.DISCONNECTED, detail)


class RemoteLink:
    """The remote seats of a game, and the pipe they share with everything else this process says."""

    def __init__(self, job: Job, lines: Lines, first: int = 0) -> None:
        """The job's seats are those from number `first` on."""
        self._lines = lines
        self.players = {
            seat.entry: RemotePlayer(number, seat.entry, self)
            for number, seat in enumerate(job.seats, first)
            if seat.language == REMOTE
        }

    def write(self, line: RemoteLine) -> None:
        """Pass a line on at once. Raises Orphaned."""
        self._lines.write(encode(line))

    def listen(self, seconds: float) -> None:
        """Wait at most this long for news, and take what there is. Raises Forfeit, Orphaned."""
        for line in self._lines.take(seconds):
            self.hear(line)

    def hear(self, line: str) -> None:
        """Take a line of news. Raises Forfeit."""
        news: Any = json.loads(line)
        player = self.players.get(news["sitting"])  # of the game before: nobody asks any more
        if player is not None:
            player.hear(news)

    def fileno(self) -> int:
        """Return what becomes readable when there is news."""
        return self._lines.fileno()

    def watch_seats(self, idle: Callable[[], object]) -> Callable[[], object]:
        """Return a function that does what `idle` does and looks at every seat, also those not asked."""
        if not self.players:
            return idle

        def look() -> None:
            idle()
            self.listen(0.0)
            self.check()

        return look

    def check(self) -> None:
        """Raise Forfeit or Infrastructure if a seat was without a connection for too long."""
        for player in self.players.values():
            player.check()
