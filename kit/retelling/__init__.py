"""Tells a recorded game to a bot again, as the referee told it then, and notes what the bot answers now.

The real referee asks. Every other seat is played by a `Script` that answers what the record says. The bot's
own answers are noted, and the referee gets the recorded ones in their place, so that the bot is asked in the
positions of that game. Where the record ends, the referee gets what the bot says.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import engine
from referee import protocol
from referee.errors import RefereeError
from referee.job import ClockRule, Job
from referee.log import encode
from referee.player import PlayerEvidence
from referee.protocol import ProtocolError
from referee.referees import referee_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.player import Player

    Spawn = Callable[[Job], Sequence[Player]]

TICK_MS: Final = 10_000
"""How long a tick lasts here: a slow machine must not change the game that is told."""


@dataclass(frozen=True, slots=True)
class Retold(Job):
    """A job whose one bot gets the game of ``words`` told in seat ``seat``.

    With ``stretches`` it is asked only where something new has happened: at the beginning of its turn, and
    after a card was turned up. Otherwise it is asked after each move that it answers as recorded.
    With ``beyond`` it is asked also where the record ends.
    """

    words: tuple[str, ...] = ()
    seat: int = 0
    stretches: bool = False
    beyond: bool = True


def retold(line: str, job: Job) -> Retold:
    """Read what `Retold.line` wrote; ``job`` is the rest of it."""
    fields = json.loads(line)
    own = {name: fields[name] for name in ("seat", "stretches", "beyond")}
    whole = {name: getattr(job, name) for name in Job.__dataclass_fields__}
    return Retold(**whole, **own, words=tuple(fields["words"]))


class Over(RefereeError):
    """The record has nothing more to tell."""


class Script:
    """What each seat did in a recorded game."""

    def __init__(self, start: engine.Position, words: Sequence[str]) -> None:
        self.ticks = start.rules.in_ticks
        self.words = list(words) if self.ticks else [word for word in words if word != "stop"]
        self.stops: set[int] = set()
        self._ends: list[bool] = []
        if self.ticks:
            return
        game: Any = engine.Game.of(start)
        for word in words:
            if word == "stop":
                self.stops.add(len(self._ends))
                self._ends[-1:] = [True]
                game.apply(word)
                continue
            seat = game.turn
            event = game.apply(word)
            self._ends.append(event.reveal is not None or game.finished or game.turn != seat)

    def __len__(self) -> int:
        return len(self.words)

    def stretch(self, ply: int) -> list[str]:
        """The moves from a ply on, up to the next card turned up or the end of the turn."""
        found = []
        for word, ends in zip(self.words[ply:], self._ends[ply:], strict=True):
            found.append(word)
            if ends:
                break
        return found

    def answer(self, seat: int, question: dict[str, Any], moves: Sequence[str] | None = None) -> bytes | None:
        """What the record answers to a question; None where it ends.

        Of ``moves`` that begin as recorded, as many as do are answered.
        """
        kind, said = question["type"], {"id": question["id"]}
        if kind == "stop":
            return _line(said | {"stop": question["ply"] in self.stops})
        ply = question["tick"] if kind == "tick" else question["ply"]
        if ply >= len(self):
            return None
        if kind == "tick":
            return _line(said | {"action": self.words[ply].split(",")[seat]})
        stretch = self.stretch(ply)
        alike = 0
        for one, other in zip(moves or (), stretch, strict=False):
            if one != other:
                break
            alike += 1
        return _line(said | {"moves": stretch[:alike] or stretch})


def _line(fields: dict[str, Any]) -> bytes:
    return encode(fields).encode()


class RetoldGame:
    """Plays a seat as the record says (`referee.player.Player`)."""

    def __init__(self, script: Script, seat: int, *, stops: bool) -> None:
        self._script = script
        self._seat = seat
        self._stops = stops
        self._answer: bytes | None = None

    def send(self, line: bytes, deadline: float) -> None:
        """Take a line, and have the answer ready."""
        question = json.loads(line)
        if question["type"] == "hello":
            ready = {"type": "ready", "position": False, "events": False}
            self._answer = _line(ready | {"stops": self._stops, "ticks": self._script.ticks})
            return
        if question["type"] not in {"move", "tick", "stop"}:
            return
        self._answer = self._script.answer(self._seat, question)
        if self._answer is None:
            if question["type"] == "move" or question["tick"] > len(self._script):
                raise Over
            self._answer = _line({"id": question["id"], "action": "wait"})

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Answer at once."""
        self.send(line, seconds)
        return self.receive(0.0)

    def short_way(self) -> None:
        """There is none."""

    def receive(self, deadline: float) -> bytes | None:
        """The answer that is ready."""
        answer, self._answer = self._answer, None
        return answer

    def fileno(self) -> int:
        """There is no file."""
        return -1

    def cpu_ns(self) -> int:
        """It costs nothing."""
        return 0

    delayed_ns = sleeps = cpu_ns

    def pause(self) -> None:
        """Nothing runs."""

    resume = kill = pause

    def farewell(self, line: bytes) -> None:
        """Nobody listens."""

    def close(self) -> PlayerEvidence:
        """There is none."""
        return PlayerEvidence()


@dataclass(slots=True)
class RetoldQuestion:
    """A question that the bot was asked, and what it answered: moves or an action, or what was wrong."""

    ply: int
    legal: list[str]
    recorded: list[str]
    answer: list[str] = field(default_factory=list)
    wrong: str = ""
    ms: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the message."""
        return {"type": "asked", **{name: getattr(self, name) for name in self.__slots__}}


class Shadow:
    """The bot, whose answers are noted and replaced by the recorded ones (`referee.player.Player`)."""

    def __init__(self, player: Player, script: Script, job: Retold) -> None:
        self._player = player
        self._script = script
        self._job = job
        self._question: dict[str, Any] = {}
        self._used = 0
        self.asked: list[RetoldQuestion] = []
        self.fileno, self.cpu_ns = player.fileno, player.cpu_ns
        self.delayed_ns, self.sleeps = player.delayed_ns, player.sleeps
        self.pause, self.resume = player.pause, player.resume
        self.farewell, self.close, self.kill = player.farewell, player.close, player.kill

    def send(self, line: bytes, deadline: float) -> None:
        """Put a question to the bot and note it. Raises PlayerFault, Over."""
        self._hear(line)
        self._player.send(line, deadline)

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """The same, and wait a moment for the answer."""
        self._hear(line)
        return self._replaced(self._player.ask(line, seconds, milliseconds))

    def short_way(self) -> None:
        """There is none."""

    def receive(self, deadline: float) -> bytes | None:
        """The recorded answer once the bot has given its own."""
        return self._replaced(self._player.receive(deadline))

    def _hear(self, line: bytes) -> None:
        question = self._question = json.loads(line)
        if question["type"] not in {"move", "tick"}:
            return
        ply = question["tick"] if question["type"] == "tick" else question["ply"]
        script, job = self._script, self._job
        if ply > len(script) or (ply == len(script) and (not job.beyond or self._put(ply))):
            raise Over
        if ply == len(script):
            recorded = []
        elif script.ticks:
            recorded = [script.words[ply].split(",")[job.seat]]
        else:
            recorded = script.stretch(ply)
        self.asked.append(RetoldQuestion(ply, list(question["legal"]), recorded))
        self._used = self._player.cpu_ns()

    def _put(self, ply: int) -> bool:
        """Whether the bot was asked there already."""
        return bool(self.asked) and self.asked[-1].ply == ply

    def _replaced(self, reply: bytes | None) -> bytes | None:
        question = self._question
        if reply is None or question.get("type") not in {"move", "tick", "stop"}:
            return reply
        if question["type"] == "stop":
            return self._script.answer(self._job.seat, question)
        asked = self.asked[-1]
        asked.ms = (self._player.cpu_ns() - self._used) // 1_000_000
        try:
            asked.answer = self._moves_of(reply, question)
        except ProtocolError as error:
            asked.wrong = str(error)
        else:
            if asked.answer and asked.answer[0] not in asked.legal:
                asked.wrong = f"{asked.answer[0]!r} is not legal"
        alike = None if self._job.stretches else asked.answer
        answer = self._script.answer(self._job.seat, question, alike)
        # An answer that goes on after the last recorded move is the one the game ended by.
        if answer is None or (not self._job.stretches and self._goes_beyond(asked)):
            return reply
        return answer

    def _moves_of(self, reply: bytes, question: dict[str, Any]) -> list[str]:
        """The moves or the action of an answer. Raises ProtocolError."""
        if question["type"] == "tick":
            action = protocol.parse_action(reply)
            if action.id != question["id"]:
                raise ProtocolError('expected "id" to repeat the question\'s')
            return ["(resigns)"] if action.resign else [action.action]
        said = protocol.parse_answer(reply, question["id"])
        return ["(resigns)"] if said.resign else list(said.moves)

    def _goes_beyond(self, asked: RetoldQuestion) -> bool:
        """Whether the answer is what the record has left of the turn, and more."""
        left = self._script.words[asked.ply :]
        answer = asked.answer
        return not self._script.ticks and len(answer) > len(left) and answer[: len(left)] == left


def tell(job: Retold, spawn: Spawn) -> Iterator[dict[str, Any]]:
    """Tell the game; yield a message for each answer, then the end and what the bot left behind.

    Raises Infrastructure.
    """
    start = engine.Position.parse(job.start)
    script = Script(start, job.words)
    clock = ClockRule(job.clock.bank_ms, job.clock.increment_ms, TICK_MS)
    [player] = spawn(job)
    shadow = Shadow(player, script, job)
    stops = bool(script.stops)
    players: list[Any] = [RetoldGame(script, seat, stops=stops) for seat in range(start.players)]
    players[job.seat] = shadow
    referee = referee_of(start, players, replace(job, clock=clock, seats=job.seats * len(players)))
    told, result = 0, None
    try:
        try:
            for _ in referee.play():
                for asked in shadow.asked[told : len(shadow.asked) - 1]:
                    yield asked.as_dict()
                    told += 1
            result = None if referee.result is None else referee.result.as_dict()
        except Over:
            pass
        for asked in shadow.asked[told:]:
            yield asked.as_dict()
        # It is told the end as after any game, so that what it has written comes out.
        end = result or {"termination": "resignation", "seat": job.seat, "ranking": [], "points": []}
        player.farewell(_line({"type": "end", "result": end}) + b"\n")
        yield {"type": "told", "result": result, "evidence": player.close().as_dict()}
    finally:
        player.kill()
