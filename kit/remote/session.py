"""An author's end of the wire: keeps connected, runs a program for each game, and hands lines to and fro.

A game as both ends of the wire count it: which line asks, which answer is to which line.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from kit.remote.program import LEAVE_S, GameProgram, ProgramFailed
from kit.remote.wire import FRAME_BYTES, WIRE, Dropped, Wire, encode, open_wire, pauses
from kit.site.client import SiteRefused, SiteUnreachable

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence
    from pathlib import Path

    from kit.site.client import Site


ANSWERS_KEPT: Final = 32
"""The site may ask again after a lost connection: for one line of a game with turns, for 16 ticks."""
UNASKED_KEPT: Final = 64


class OutOfOrder(ValueError):
    """The site left out a line."""


class Flood(ValueError):
    """The program writes and writes, and nobody asked."""


class NumberedLines:
    """Numbers the lines of one game, and pairs each that asks with the program's answer.

    Programs answer in the order in which they are asked. A line that nobody asked for answers the next
    question, as it does in the arena's sandbox.
    """

    def __init__(self) -> None:
        self.received = 0
        """The number of the last line that the program was given."""
        self.ended = False
        """Whether its last line was ``end``: the program may leave."""
        self._open: deque[int] = deque()
        self._unasked: deque[str] = deque()
        self._answers: dict[int, str] = {}

    @property
    def is_asked(self) -> bool:
        """Whether the program owes an answer."""
        return bool(self._open)

    def take(self, n: int, line: str) -> tuple[bool, str | None]:
        """Whether the program is to be given line `n`, and the answer to it that is there already.

        Raises OutOfOrder if lines before it are missing.
        """
        if n <= self.received:  # sent again after a lost connection
            return False, self._answers.get(n)
        if n != self.received + 1:
            raise OutOfOrder(f"expected line {self.received + 1}, got line {n}")
        self.received = n
        self.ended = _is_end(line)
        if self.ended:
            return True, None
        self._open.append(n)
        return True, self._next_answer()[1] if self._unasked else None

    def answer(self, line: str) -> int | None:
        """The number of the line that the program's next line answers, or None. Raises Flood."""
        self._unasked.append(line)
        if self._open:
            return self._next_answer()[0]
        if len(self._unasked) > UNASKED_KEPT:
            raise Flood
        return None

    def _next_answer(self) -> tuple[int, str]:
        n, line = self._open.popleft(), self._unasked.popleft()
        self._answers[n] = line
        while len(self._answers) > ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        return n, line


def _is_end(line: str) -> bool:
    """Whether a line of protocol 1 asks nothing and is the last.

    >>> _is_end('{"type":"end","result":{}}'), _is_end('{"type":"move"}'), _is_end("[]")
    (True, False, False)
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("type") == "end"


WELCOME_S: Final = 20.0
HOLDING_PAUSE_S: Final = 5.0
GONE_S: Final = 0.5
"""How soon a program that writes no more should have ended."""
STEADY_S: Final = 30.0
"""A connection that lived this long was no failed attempt."""


class Show(Protocol):
    """What the author is shown of it."""

    def tell_welcome(self, welcome: dict[str, Any]) -> None:
        """The site takes the bot."""

    def tell_start(self, game: ConnectedGame) -> None:
        """A game has begun."""

    def tell_over(self, game: ConnectedGame, message: dict[str, Any]) -> None:
        """A game is over."""

    def tell_rating(self, message: dict[str, Any]) -> None:
        """A rating has changed."""

    def tell(self, text: str) -> None:
        """Something that the author should know."""

    def tell_failure(self, game: ConnectedGame, why: str, stderr: str) -> None:
        """The program of a game failed, and the game is given up."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What an author lets the site play: a program, and the games for it."""

    bot: str
    """Its name in addresses of the site."""
    command: Sequence[str]
    folder: Path
    boards: Sequence[str]
    games: int = 1
    people: bool = False
    reuse: bool = False
    """Whether a program that has played a game waits for the next."""


@dataclass(eq=False)
class ConnectedGame:
    """A game of ours: what the site said of it, its lines, and the program that plays it."""

    key: str
    board: str
    opponents: tuple[str, ...]
    rated: bool
    program: GameProgram
    lines: NumberedLines = field(default_factory=NumberedLines)
    reader: asyncio.Task[object] | None = None
    is_given_up: bool = False
    gone: bool = False
    """Whether the program writes no more."""

    @property
    def title(self) -> str:
        """What is played against whom."""
        return f"{self.board} against {', '.join(self.opponents)}"


class Session:
    """Plays what a site sends until the author has it end, or the site wants it no more."""

    def __init__(self, site: Site, offer: Offer, show: Show) -> None:
        self._site = site
        self._offer = offer
        self._show = show
        self._games: dict[str, ConnectedGame] = {}
        self._idle: list[GameProgram] = []
        self._programs: set[GameProgram] = set()
        """All that run."""
        self._wire: Wire | None = None
        self._is_leaving = False
        self._was_welcome = False
        self._tasks: set[asyncio.Task[object]] = set()
        self._end: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def run(self) -> bool:
        """Play; whether games were given up at the end. Raises SiteRefused, SiteUnreachable and OSError."""
        self._begin(self._stay_connected())
        patience = 0.0
        try:
            gave_up = await self._end
            patience = 0.0 if gave_up else LEAVE_S
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await asyncio.gather(*(program.end(patience) for program in self._programs))
        return gave_up

    @property
    def was_welcome(self) -> bool:
        """Whether the site has taken the bot at least once."""
        return self._was_welcome

    def interrupt(self) -> None:
        """Take no more games, and end once those being played are over; the second time, at once."""
        if self._end.done():
            return
        if not self._is_leaving and self._games:
            self._is_leaving = True
            count = "the game" if len(self._games) == 1 else f"{len(self._games)} games"
            self._show.tell(f"Finishing {count} being played. Press Ctrl-C again to give up.")
            if self._wire is not None:
                self._begin(self._wire.send({"type": "leaving"}))
            return
        self._begin(self._abandon())

    async def _abandon(self) -> None:
        """Give up what is being played, and end."""
        games = list(self._games.values())
        if self._wire is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    for game in games:
                        await self._wire.send({"type": "abandon", "game": game.key})
                    await self._wire.close()
        self._finish(bool(games))

    def _finish(self, gave_up: bool) -> None:
        if not self._end.done():
            self._end.set_result(gave_up)

    def _begin(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        """Do something beside everything else. What it raises ends `run`."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not self._end.done():
            self._end.set_exception(error)

    async def _stay_connected(self) -> None:
        """Connect, and again whenever the connection is lost."""
        attempts = pauses()
        while True:
            begun = time.monotonic()
            try:
                async with open_wire(self._site) as self._wire:
                    await self._talk(self._wire)
            except Dropped as dropped:
                if not self._was_welcome:
                    raise SiteUnreachable(str(dropped)) from None
                why, least = str(dropped), dropped.after
            except SiteUnreachable as unreachable:
                if not self._was_welcome:
                    raise
                why, least = str(unreachable), float(unreachable.retry_after or 0)
            finally:
                self._wire = None
            if self._is_leaving and not self._games:
                self._finish(gave_up=False)
                return
            if time.monotonic() - begun > STEADY_S:
                attempts = pauses()
            pause = max(next(attempts), least)
            if self._games:  # they wait for half a minute in all
                pause = min(pause, HOLDING_PAUSE_S)
            self._show.tell(f"{why} Connecting again in {pause:.0f} s.")
            await asyncio.sleep(pause)

    async def _talk(self, wire: Wire) -> None:
        """Say hello and do what the site says. Raises Dropped and SiteRefused."""
        held = [{"game": game.key, "received": game.lines.received} for game in self._games.values()]
        offer = self._offer
        hello = {"type": "hello", "wire": WIRE, "bot": offer.bot, "boards": list(offer.boards)}
        await wire.send({**hello, "games": offer.games, "people": offer.people, "holding": held})
        if self._is_leaving:
            await wire.send({"type": "leaving"})
        try:
            async with asyncio.timeout(WELCOME_S):
                message = await wire.receive()
        except TimeoutError:
            raise Dropped(f"{self._site.origin} does not answer.") from None
        while True:
            try:
                await self._follow(wire, message)
            except (KeyError, TypeError, ValueError) as wrong:
                raise SiteRefused(
                    f"Expected the frames of an arena from {self._site.origin}, got"
                    f" {encode(message)[:80]!r}: {wrong}."
                ) from None
            message = await wire.receive()

    async def _follow(self, wire: Wire, message: dict[str, Any]) -> None:
        """Do what a frame says. Frames of later versions are left alone."""
        kind = message["type"]
        if kind == "welcome":
            self._was_welcome = True
            self._show.tell_welcome(message)
        elif kind == "rating":
            self._show.tell_rating(message)
        elif kind == "game":
            await self._start(wire, message)
        elif kind in ("line", "over") and (game := self._games.get(_text(message, "game"))) is not None:
            if kind == "over":
                self._over(game, message)
            else:
                await self._line(wire, game, message)

    async def _start(self, wire: Wire, message: dict[str, Any]) -> None:
        """Start a program for a game; give up one too many, or one whose program does not start."""
        key, board = _text(message, "game"), _text(message, "board")
        if key in self._games:
            return
        opponents = tuple(str(name) for name in message.get("opponents", ()))
        if self._is_leaving or len(self._games) >= self._offer.games:
            await wire.send({"type": "abandon", "game": key})
            return
        try:
            program = await self._program()
        except ProgramFailed as failed:
            self._show.tell(f"{board} against {', '.join(opponents)} is given up: {failed}.")
            await wire.send({"type": "abandon", "game": key})
            return
        game = ConnectedGame(key, board, opponents, bool(message.get("rated")), program)
        self._games[key] = game
        game.reader = self._begin(self._read(game))
        self._show.tell_start(game)

    async def _program(self) -> GameProgram:
        """One that waits for another game, or a new one. Raises ProgramFailed."""
        while self._idle:
            program = self._idle.pop()
            if program.is_running:
                return program
            self._begin(self._let_leave(program))
        program = await GameProgram.start(self._offer.command, self._offer.folder)
        self._programs.add(program)
        return program

    async def _let_leave(self, program: GameProgram, seconds: float = LEAVE_S) -> str:
        """End a program; how it ended."""
        ended = await program.end(seconds)
        self._programs.discard(program)
        return ended

    async def _line(self, wire: Wire, game: ConnectedGame, message: dict[str, Any]) -> None:
        """Give the program a line, unless it has had it; say again what it has answered."""
        n, line = message["n"], _text(message, "line")
        if game.is_given_up:
            return
        if not isinstance(n, int) or "\n" in line:
            raise ValueError("no line of protocol 1")
        try:
            is_new, answer = game.lines.take(n, line)
        except OutOfOrder as missed:
            raise Dropped(f"{self._site.origin} left out a line: {missed}.") from None
        try:
            if is_new and not game.gone:
                game.program.write(line)
            if game.gone and game.lines.is_asked:
                raise ProgramFailed("")
        except ProgramFailed as failed:
            await self._give_up(game, str(failed))
            return
        if answer is not None:
            await self._answer(wire, game, n, answer)

    async def _read(self, game: ConnectedGame) -> None:
        """Hand on what the program writes, until it writes no more."""
        try:
            while (line := await game.program.read_line()) is not None:
                n = game.lines.answer(line)
                if n is not None and self._wire is not None:
                    await self._answer(self._wire, game, n, line)
        except Flood:
            await self._give_up(game, "writes lines that nobody asked for")
            return
        except ProgramFailed as failed:
            await self._give_up(game, str(failed))
            return
        game.gone = True
        if game.lines.is_asked:
            await self._give_up(game, "")
        else:
            await self._let_leave(game.program)

    async def _answer(self, wire: Wire, game: ConnectedGame, n: int, line: str) -> None:
        """Send an answer, or give up the game if it does not fit into a frame."""
        frame = {"type": "line", "game": game.key, "n": n, "line": line}
        if len(encode(frame).encode("utf-8", "replace")) > FRAME_BYTES:
            await self._give_up(game, f"wrote a line of {len(line)} characters, which is too long to be sent")
            return
        await wire.send(frame)

    async def _give_up(self, game: ConnectedGame, why: str) -> None:
        """End a game whose program failed, and say why."""
        if game.is_given_up:
            return
        game.is_given_up = True
        ended = await self._let_leave(game.program, 0.0 if why else GONE_S)
        self._show.tell_failure(game, why or ended, game.program.stderr)
        if self._wire is not None:
            await self._wire.send({"type": "abandon", "game": game.key})
        self._drop(game)

    def _over(self, game: ConnectedGame, message: dict[str, Any]) -> None:
        """Let the program of a game that is over leave, or wait for the next one."""
        self._show.tell_over(game, message)
        if game.reader is not None:
            game.reader.cancel()
        lines = game.lines
        if self._offer.reuse and lines.ended and not lines.is_asked and not game.gone:
            self._idle.append(game.program)
        else:
            self._begin(self._let_leave(game.program))
        self._drop(game)

    def _drop(self, game: ConnectedGame) -> None:
        """Count a game no more; the last one ends a session that is leaving."""
        self._games.pop(game.key, None)
        if self._is_leaving and not self._games:
            self._begin(self._abandon())


def _text(message: dict[str, Any], name: str) -> str:
    """A field that is text. Raises ValueError."""
    value = message.get(name)
    if not isinstance(value, str):
        raise ValueError(f"expected {name!r} to be a string")
    return value
