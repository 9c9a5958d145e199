"""A scripted conversation that tests a bot step by step, for ``./crapette check-bot``."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

import engine
from referee import protocol
from referee.greeting import hello
from referee.job import BANK_MS, ClockRule
from referee.log import encode
from referee.mistake_advice import warn_of_lost_moves
from referee.player import PlayerFault
from referee.protocol import ProtocolError, Ready, nonces

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.player import Player

    Try = Callable[[], str]

SEED: Final = "c7a9e77e" * 8
ANSWER_S: Final = 10.0
QUIET_S: Final = 0.1
# On a busy host a bot that computes all the time may not get the core for a tenth of a second.
BUSY_QUIET_S: Final = 1.0
LEAVE_S: Final = 1.0
IDLE_MS: Final = 5


class Failed(Exception):
    """A step failed, so the later ones make no sense."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def start_of(variant: str) -> engine.Position:
    """The deal on which bots are tried."""
    return engine.deal(variant, SEED, engine.variant(variant).players[0])


class Talk:
    """The conversation for games with turns."""

    def __init__(self, player: Player, start_seconds: float, variant: str) -> None:
        self._player = player
        self._start_seconds = start_seconds
        self._ids = nonces()
        self._ready = Ready()
        self._game = engine.Game.of(start_of(variant))
        self._first = True

    def steps(self) -> list[tuple[str, Try]]:
        """Return the steps in order: what the bot should do, and the method that tries it."""
        return [
            ("starts and says that it is ready", self._hello),
            ("answers a question with its id and a legal move", self._question),
            ("prints nothing unless asked", self._quiet),
            ("does not compute while others think", self._idle),
            ("ignores fields it does not know", lambda: self._question(future={"field": [1, 2, 3]})),
            ("accepts an offered draw, or plays on", lambda: self._question(draw_offered=True)),
            ("answers when asked to call stop, if it wants to be asked", self._poll),
            ("leaves when the game is over", self._end),
        ]

    def plays(self, board: str) -> bool:
        """Whether it said that it plays a board; once it is ready."""
        return self._ready.plays_on(board)

    @property
    def _seat(self) -> int:
        """Which seat the bot is told that it has."""
        return self._game.acting[0]

    def _exchange(self, line: bytes, wait: float | None = None, *, first: bool = False) -> bytes:
        wait = ANSWER_S if wait is None else wait
        deadline = time.monotonic() + wait
        try:
            self._player.send(line, deadline)
            answer = self._player.receive(deadline)
        except PlayerFault as fault:
            raise Failed(f"The bot {fault.before_ready if first else fault.detail}.") from fault
        if answer is None:
            raise Failed(f"Expected one line within {wait:g} seconds, got none.")
        return answer

    def _hello(self) -> str:
        begun = time.monotonic()
        game = self._game
        greeting = hello(
            game.variant.name, game.players, self._seat, ClockRule(), future={"field": [1, 2, 3]}
        )
        line = self._exchange(greeting, self._start_seconds, first=True)
        try:
            ready = self._ready = protocol.parse_ready(line)
        except ProtocolError as error:
            raise Failed(
                f"{sentence(error)} Standard output is for answers only; print to standard error."
            ) from error
        took = (time.monotonic() - begun) * 1000
        wants = [word for word in ("position", "events", "stops", "ticks", "start") if getattr(ready, word)]
        name = f"{ready.name!r}, " if ready.name else ""
        slow = "! " if took > self._start_seconds * 500 else ""
        return f"{slow}{name}ready after {took:.0f} ms, wants {', '.join(wants) or 'legal moves only'}"

    def _question(self, **more: object) -> str:
        game = self._game
        nonce, legal = next(self._ids), game.options(self._seat)
        message = {"type": "move", "id": nonce, "ply": game.ply, "legal": list(legal), **more}
        line, used = self._answer_to(message)
        try:
            answer = protocol.parse_answer(line, nonce)
        except ProtocolError as error:
            raise Failed(sentence(error)) from error
        if answer.moves and answer.moves[0] not in legal:
            raise Failed(f"Expected one of {', '.join(legal)}, got {protocol.quote(answer.moves[0])}.")
        said = (
            "resigned"
            if answer.resign
            else "accepted the draw"
            if answer.accept_draw
            else ", ".join(answer.moves)
        )
        wasted = warn_of_lost_moves(tuple(answer.moves))
        return f"! {said}: {wasted}" if wasted else f"{said} ({used:.1f} ms)"

    def _answer_to(self, message: dict[str, object]) -> tuple[bytes, float]:
        """Put a question with what the bot wants to be told; return its line and the milliseconds it used."""
        message["clocks"] = [BANK_MS] * self._game.start.players
        if self._ready.position or self._first:
            message["position"] = str(self._game.start.public())
        if self._ready.start and self._first:
            message["start"] = str(self._game.start.public())
        if self._ready.events:
            message["events"] = []
        self._first = False
        before = self._player.cpu_ns()
        line = self._exchange(encode(message).encode() + b"\n")
        return line, (self._player.cpu_ns() - before) / 1e6

    def _quiet(self) -> str:
        try:
            line = self._player.receive(time.monotonic() + QUIET_S)
        except PlayerFault as fault:
            raise Failed(f"The bot {fault.detail}.") from fault
        if line is not None:
            raise Failed(
                "Expected one line for each question, got one more:"
                f" {protocol.quote(line.decode('utf-8', 'replace'))}."
            )
        return ""

    def _idle(self) -> str:
        before = self._player.cpu_ns()
        begun = time.monotonic()
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        looked_for = BUSY_QUIET_S if busy else QUIET_S
        while True:
            time.sleep(QUIET_S)
            used = (self._player.cpu_ns() - before) // 1_000_000
            passed = time.monotonic() - begun
            if used > IDLE_MS:
                took = f"{used} ms in {passed * 1000:.0f} ms"
                return f"! used {took} of CPU: this is charged, and the bot is stopped if it goes on"
            if passed >= looked_for:
                return ""

    def _poll(self) -> str:
        if not self._ready.stops:
            return "does not want to be asked"
        nonce = next(self._ids)
        game = engine.TurnGame(engine.TurnPosition.deal("crapette-it", SEED))
        message = {
            "type": "stop",
            "id": nonce,
            "ply": 1,
            "clocks": [BANK_MS] * 2,
            "before": str(game.position.public()),
            "move": game.legal_moves()[0],
            "events": [],
        }
        line = self._exchange(encode(message).encode() + b"\n")
        try:
            return "stop" if protocol.parse_stop(line, nonce) else "no stop"
        except ProtocolError as error:
            raise Failed(sentence(error)) from error

    def _end(self) -> str:
        result = {"termination": "resignation", "seat": 0, "ranking": [[1], [0]], "points": [0, 0]}
        self._player.farewell(encode({"type": "end", "result": result}).encode() + b"\n")
        deadline = time.monotonic() + LEAVE_S
        try:
            while time.monotonic() < deadline:
                if self._player.receive(deadline) is not None:
                    return "! answers the end of the game, which nobody reads"
        except PlayerFault as fault:
            evidence = self._player.close()
            if evidence.exit == "exited with status 0":
                return evidence.exit
            return f"! {fault.detail} (expected status 0)"
        return f"! still running after {LEAVE_S:g} s, so the arena ends it by force"


def sentence(error: ProtocolError) -> str:
    """An error as a sentence."""
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."


class TickTalk(Talk):
    """The same about `vitesse`, where a bot is asked for one action in each tick."""

    def steps(self) -> list[tuple[str, Try]]:
        """Return the steps in order: what the bot should do, and the method that tries it."""
        return [
            ("starts and says that it is ready", self._hello),
            ("says that it plays in ticks", self._ticks),
            ("answers a tick with its id and a legal action", self._question),
            ("prints nothing unless asked", self._quiet),
            ("does not compute while others think", self._idle),
            ("ignores fields it does not know", lambda: self._question(future={"field": [1, 2, 3]})),
            ("leaves when the game is over", self._end),
        ]

    def _ticks(self) -> str:
        if not self._ready.ticks:
            raise Failed(
                'Expected "ticks": true in its "ready", got none. The arena does not enter it in vitesse.'
            )
        return ""

    def _question(self, **more: object) -> str:
        game = self._game
        nonce, legal = next(self._ids), game.options(self._seat)
        message = {"type": "tick", "id": nonce, "tick": game.ply, "legal": list(legal), **more}
        line, used = self._answer_to(message)
        try:
            said = protocol.parse_action(line)
        except ProtocolError as error:
            raise Failed(sentence(error)) from error
        if said.id != nonce:
            raise Failed(f'Expected "id" to repeat {nonce!r}, got {protocol.quote(said.id)}.')
        if not said.resign and said.action not in legal:
            raise Failed(f"Expected one of {', '.join(legal)}, got {protocol.quote(said.action)}.")
        return f"{'resigned' if said.resign else said.action} ({used:.1f} ms)"


def talk_about(variant: str) -> type[Talk]:
    """What is tried with a bot that is to play a variant."""
    return TickTalk if engine.variant(variant).in_ticks else Talk
