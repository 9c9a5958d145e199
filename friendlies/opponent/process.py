"""``python -m friendlies.opponent.process``: runs one sandboxed bot that plays against a person, or carries
the lines of a remote one (`referee.remote`).

The site keeps the game; this process runs the bot. The first line on standard input is an `Engagement`, and
each later line is a `BotQuestion`. The process answers each with one line:

    {"type": "ready", "stops": true}                      once the bot has started
    {"type": "answer", "moves": […], "ms": 12, …}         to a question
    {"type": "answer", "action": "s1-f", "late": false, …} to a tick of `vitesse`
    {"type": "fault", "termination": …, "detail": …}      the bot has lost by its own doing
    {"type": "infrastructure", "reason": …}               nobody's fault; exit status 75

A question contains only what the bot's seat may know, so nothing here can reveal a hidden card. If the bot is
started in the middle of a game, its first question brings all events so far. The bot is stopped between
questions, and ended after `REST_SECONDS` without one; it is started again when needed.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.variants import variant
from referee import child, protocol
from referee import job as jobs
from referee.clock import MS, WALL_EXTRA_NS, WALL_FACTOR, Clocks
from referee.endings import Termination
from referee.errors import BadJob, Forfeit, Infrastructure
from referee.greeting import hello, take_ready
from referee.log import encode
from referee.player import PlayerEvidence
from referee.protocol import Action, ProtocolError, Ready, nonces
from referee.remote import PREFIX, RemoteLink
from referee.sandboxed import spawn_players
from referee.ticks.loop import LATE_LIMIT, WAIT, check_ticks, late_too_often
from referee.ticks.stopwatch import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.child import Lines
    from referee.job import Job
    from referee.player import Player
    from sandbox import Stage


class EmptyChair:
    """Implements `referee.player.Player` for a seat that is never asked and never computes."""

    def send(self, line: bytes, deadline: float) -> None:
        """Nobody listens."""

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Nobody answers."""

    def short_way(self) -> None:
        """There is none."""

    def receive(self, deadline: float) -> bytes | None:
        """Nobody answers."""

    def fileno(self) -> int:
        """Nobody answers."""
        return -1

    def cpu_ns(self) -> int:
        """No time is used here."""
        return 0

    def delayed_ns(self) -> int:
        """Nobody waits for a core."""
        return 0

    def sleeps(self) -> int:
        """Nobody sleeps."""
        return 0

    def pause(self) -> None:
        """Nobody is stopped."""

    def resume(self) -> None:
        """Nobody is woken."""

    def farewell(self, line: bytes) -> None:
        """Nobody leaves."""

    def close(self) -> PlayerEvidence:
        """Nothing is kept."""
        return PlayerEvidence()

    def kill(self) -> None:
        """Nobody is ended."""


SEATS: Final = 2
REST_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """What the bot is asked: to move, or (``kind`` "stop") whether it calls stop after ``move``, or (``kind``
    "tick") to act in the tick ``ply`` of `vitesse`.

    ``position`` is the public line (before the move, for a stop), ``events`` what happened since it was last
    asked, ``clocks`` milliseconds left by seat, ``start`` the public line that a game of turns began with.
    """

    kind: str
    ply: int
    clocks: tuple[int, ...]
    position: str
    events: tuple[dict[str, Any], ...]
    legal: tuple[str, ...] = ()
    move: str = ""
    draw_offered: bool = False
    start: str = ""

    def line(self) -> str:
        """Return the line that `parse` reads."""
        return encode(asdict(self))

    @classmethod
    def parse(cls, line: str) -> BotQuestion:
        """Parse a question from our own site."""
        return cls(**json.loads(line))

    def message(self, nonce: str, ready: Ready, *, first: bool) -> bytes:
        """Return the question as the bot receives it (protocol 1), with what it wants to be told."""
        count = "tick" if self.kind == "tick" else "ply"
        said: dict[str, Any] = {"type": self.kind, "id": nonce, count: self.ply, "clocks": self.clocks}
        if self.kind == "stop":
            said |= {"before": self.position, "move": self.move}
        else:
            said["legal"] = self.legal
            if ready.position or first:
                said["position"] = self.position
            if self.draw_offered:
                said["draw_offered"] = True
        if ready.start and first and self.start:
            said["start"] = self.start
        if ready.events:
            said["events"] = self.events
        return encode(said).encode() + b"\n"


class Opponent:
    """One bot in its seat, opposite an empty seat."""

    def __init__(self, job: Job, seat: int, bot: Player, idle: Callable[[], object]) -> None:
        players: list[Player] = [EmptyChair(), EmptyChair()]
        players[seat] = bot
        self._bot, self._seat, self._job = bot, seat, job
        (self._rule,) = job.rules
        self._clocks = Clocks([self._rule] * SEATS)
        self._asking = Stopwatch(players, self._clocks, idle, [seat])
        self._late = 0
        self._ids = nonces(job.nonce_seed)
        self._ready = Ready()
        self._asked = False

    def greet(self) -> Ready:
        """Start the bot's game; off the clock. Raises Forfeit, Infrastructure."""
        asking, seat, seconds = self._asking, self._seat, self._job.start_seconds
        begun = time.monotonic()
        with asking.forfeits():
            with asking.starting(seat):
                line = hello(self._job.variant, SEATS, seat, self._rule, level=self._job.seats[0].level)
                asking.greet(seat, line, begun + seconds)
            self._ready = take_ready(asking, seat, seconds, begun)
            if variant(self._job.variant).in_ticks:
                check_ticks(seat, self._ready)
            self._bot.pause()
        return self._ready

    def answer(self, question: BotQuestion) -> dict[str, Any]:
        """Put a question to the bot; return what it said as the line's fields. Raises Forfeit,
        Infrastructure."""
        self._set_clock(question.clocks[self._seat])
        nonce = next(self._ids)
        line = question.message(nonce, self._ready, first=not self._asked)
        self._asked = self._asked or question.kind != "stop"
        with self._asking.forfeits():
            self._bot.resume()
            if question.kind == "tick":
                return self._act(line, nonce)
            return self._put(question, line, nonce)

    def _put(self, question: BotQuestion, line: bytes, nonce: str) -> dict[str, Any]:
        """Put a question of a game of turns to the bot. Raises Forfeit, Infrastructure."""
        reply = self._asking.ask(self._seat, line)
        if reply is None:
            reply = self._asking.wait(self._seat)
        self._bot.pause()
        try:
            return {"type": "answer", "ms": self._asking.ms, **_understood(question, reply, nonce)}
        except ProtocolError as error:
            detail = f"Seat {self._seat} answered wrongly: {error}."
            raise Forfeit(self._seat, Termination.PROTOCOL, detail) from error

    def _act(self, line: bytes, nonce: str) -> dict[str, Any]:
        """Put a tick to the bot; it waits in a tick that it is late for. Raises Forfeit, Infrastructure."""
        asking, seat = self._asking, self._seat
        put: list[bytes | None] = [None] * SEATS
        nonces = [""] * SEATS
        if asking.willing(seat):
            put[seat], nonces[seat] = line, nonce
        if not asking.put(put, nonces, self._job.clock.tick_ms):
            asking.wait_for_both()
        asking.close_tick([seat])
        self._bot.pause()
        said = asking.heard[seat]
        self._late = 0 if said else self._late + 1
        if self._late >= LATE_LIMIT:
            raise late_too_often(seat)
        said = said or Action(nonce, WAIT)
        return {
            "type": "answer",
            "ms": asking.charged[seat],
            "action": said.action,
            "late": bool(self._late),
            "comment": said.comment,
            "eval": said.evaluation,
            "resign": said.resign,
        }

    def _set_clock(self, left_ms: int) -> None:
        """The site counts the milliseconds: this process may have been started in the middle of a game."""
        self._clocks.cpu_left[self._seat] = left_ms * MS
        self._clocks.wall_left[self._seat] = WALL_FACTOR * left_ms * MS + WALL_EXTRA_NS


def _understood(question: BotQuestion, reply: bytes, nonce: str) -> dict[str, Any]:
    """Parse an answer. Raises ProtocolError."""
    if question.kind == "stop":
        return {"stop": protocol.parse_stop(reply, nonce)}
    said = protocol.parse_answer(reply, nonce)
    return {
        "moves": said.moves,
        "comment": said.comment,
        "eval": said.evaluation,
        "offer_draw": said.offer_draw,
        "accept_draw": said.accept_draw,
        "resign": said.resign,
    }


@contextmanager
def _waiting() -> Iterator[None]:
    """A remote bot that was away before it was asked is asked again later: it loses only what it left while
    it was to answer. Raises Infrastructure."""
    try:
        yield
    except Forfeit as forfeit:
        if forfeit.termination is not Termination.DISCONNECTED:
            raise
        raise Infrastructure(forfeit.detail) from forfeit


def serve(line: str, stage: Stage, lines: Lines) -> None:
    """Play one engagement until nobody asks any more. Raises BadJob, Infrastructure, Orphaned."""
    seat: int = json.loads(line).get("seat", 0)
    job = jobs.parse(line)
    if len(job.seats) != 1 or seat not in range(SEATS):
        raise BadJob(f"expected one bot for seat 0 or 1, got {len(job.seats)} for seat {seat!r}")
    link = RemoteLink(job, lines, seat)
    (bot,) = spawn_players(job, stage, link.players)
    opponent = Opponent(job, seat, bot, link.watch_seats(lines.idle))
    try:
        with _waiting():
            ready = opponent.greet()
        lines.write(encode({"type": "ready", "stops": ready.stops}))
        while (asked := lines.next_line(REST_SECONDS)) is not None:
            if asked.startswith(PREFIX):
                link.hear(asked)
            else:
                with _waiting():
                    link.check()
                lines.write(encode(opponent.answer(BotQuestion.parse(asked))))
    except Forfeit as forfeit:
        fault = {"type": "fault", "termination": forfeit.termination.value, "detail": forfeit.detail}
        lines.write(encode(fault))
    finally:
        bot.kill()


def serve_one(stage: Stage, lines: Lines) -> None:
    """Serve the engagement on standard input. Raises BadJob, Infrastructure, Orphaned."""
    if (line := lines.next_line()) is not None:
        serve(line, stage, lines)


if __name__ == "__main__":
    child.run(serve_one, "engagement")
