"""Players that live in the test's own process, behind the referee's port."""

import json
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import engine
from referee.job import ClockRule
from referee.player import PlayerEvidence, ShortWay
from referee.protocol import nonces
from referee.turns.loop import Referee
from referee.turns.whole import RefereeTable

Reply = dict[str, Any] | bytes | None
"""What a scripted player says: a message, raw bytes, or nothing by the deadline."""


def first_legal(message: dict[str, Any]) -> Reply:
    return {"id": message["id"], "moves": [message["legal"][0]]}


class Scripted:
    """A player that answers by a function of the question; keeps all it was sent in ``heard``.

    ``cost_ns`` is what each answer is to use of the CPU; a ``late`` player's answers come after the grace.
    ``delay_ns`` is how long the host kept it waiting for a core so far. A ``short`` way leads to the same
    answers; ``asked_shortly`` counts how often it was taken.
    """

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Reply] = first_legal,
        *,
        ready: dict[str, Any] | bytes | None = None,
        cost_ns: int = 0,
        late: bool = False,
        short: bool = False,
    ) -> None:
        self.heard: list[dict[str, Any]] = []
        self.said: list[str] = []
        self.closed = False
        self._answer = answer
        self._ready: Reply = {"type": "ready"} if ready is None else ready
        self._cost_ns = cost_ns
        self.delay_ns = 0
        self.slept = 0
        self._late = late
        self._short = short
        self.asked_shortly = 0
        self._cpu_ns = 5_000_000
        self._waiting: bytes | None = None

    def send(self, line: bytes, deadline: float) -> None:
        assert line.endswith(b"\n")
        message = json.loads(line)
        self.heard.append(message)
        if message["type"] == "hello":
            reply = self._ready
        elif message["type"] == "end":
            reply = None
        else:
            self._cpu_ns += self._cost_ns
            if self._cost_ns:
                time.sleep(0.001)  # who computes takes time: clocks of faster answers are not looked at
            reply = self._answer(message)
        self._waiting = reply if isinstance(reply, bytes) or reply is None else json.dumps(reply).encode()

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        self.send(line, 0.0)
        return None if self._late else self.receive(0.0)

    def short_way(self) -> ShortWay | None:
        def ask(line: bytes, milliseconds: int) -> bytes | None:
            self.asked_shortly += 1
            return self.ask(line, 0.0, milliseconds)

        exchange: Any = SimpleNamespace(ask=ask, due=1 << 62)
        return ShortWay(exchange, lambda _: None, lambda *_: None) if self._short else None

    def receive(self, deadline: float) -> bytes | None:
        reply, self._waiting = self._waiting, None
        if reply is None:
            time.sleep(max(0.0, min(deadline - time.monotonic(), 0.02)))
        return reply

    def fileno(self) -> int:
        return -1

    def cpu_ns(self) -> int:
        return self._cpu_ns

    def delayed_ns(self) -> int:
        return self.delay_ns

    def sleeps(self) -> int:
        return self.slept

    def pause(self) -> None:
        self.said.append("paused")

    def resume(self) -> None:
        self.said.append("resumed")

    def farewell(self, line: bytes) -> None:
        self.send(line, 0.0)

    def close(self) -> PlayerEvidence:
        self.closed = True
        return PlayerEvidence(exit="closed")

    def kill(self) -> None:
        self.closed = True

    @property
    def questions(self) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == "move"]


FIRST = ("s1-f", "s2-f", "s3-f", "s4-f", "r-f", "d-f", "stop", "turn", "wait")
READY = {"type": "ready", "ticks": True}


def eager(message: dict[str, Any]) -> Reply:
    """A card if one fits; stop as soon as that is open."""
    return {"id": message["id"], "action": min(message["legal"], key=FIRST.index)}


class TickPlayer(Scripted):
    """A scripted player of ticks: it answers when it was looked at ``looks`` times, and writes down in
    ``log`` what it was sent and what was read of it."""

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Reply] = eager,
        *,
        ready: dict[str, Any] | None = None,
        looks: int = 0,
        log: list[str] | None = None,
        cost_ns: int = 0,
    ) -> None:
        super().__init__(answer, ready=READY if ready is None else ready, cost_ns=cost_ns)
        self.looks = self._left = looks
        self.log = [] if log is None else log
        self._lines: list[bytes] = []

    def send(self, line: bytes, deadline: float) -> None:
        super().send(line, deadline)
        if self.heard[-1]["type"] == "tick":
            self.log.append("asked")
            self._left = self.looks
        if self._waiting is not None:
            self._lines += self._waiting.split(b"\n")

    def receive(self, deadline: float) -> bytes | None:
        self._left -= 1
        if self._left >= 0 or not self._lines:
            return None
        if self.heard[-1]["type"] == "tick":
            self.log.append("read")
        return self._lines.pop(0)


class Played:
    """A game played to its end: ``events`` parsed, the last the end; ``result`` as recorded."""

    def __init__(
        self,
        position: engine.TurnPosition,
        players: list[Scripted],
        rule: ClockRule | None = None,
        start: float = 10.0,
    ) -> None:
        self.referee = Referee(
            RefereeTable(position),
            players,
            [rule or ClockRule()] * len(players),
            nonces("test"),
            start_seconds=start,
        )
        self.lines = [line for lines in self.referee.play() for line in lines]
        self.events: list[dict[str, Any]] = [json.loads(line) for line in self.lines]
        self.referee.close()
        assert self.referee.result is not None
        self.result = self.referee.result.as_dict()

    def kinds(self) -> list[str]:
        return [event["type"] for event in self.events]
