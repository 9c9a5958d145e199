"""What a bot must do, tried step by step on the bot itself: the sandboxed half of ``./crapette check-bot``.

Runs as a process from the stage, as the playing process does: one job on standard input (``seats`` has one
bot; its ``variant`` and ``start`` are not used), the variants as arguments, one step a line on standard
output.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import engine
from bots import protocol
from bots.protocol import ProtocolError, Ready
from bots.sandbox import Stage
from tournaments.referee import job as jobs
from tournaments.referee.errors import BadJob, Infrastructure
from tournaments.referee.game import Referee
from tournaments.referee.log import encode
from tournaments.referee.nonces import nonces
from tournaments.referee.player import PlayerFault
from tournaments.referee.sandboxed import SandboxedPlayer, spawn_players
from tournaments.referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SEED: Final = "c7a9e77e" * 8
ANSWER_S: Final = 10.0
QUIET_S: Final = 0.1
LEAVE_S: Final = 1.0
IDLE_MS: Final = 5
OWN_END: Final = frozenset({"win", "stop", "stall", "passes", "draw-agreed", "resignation"})


@dataclass(frozen=True, slots=True)
class Step:
    """One thing tried: ``verdict`` is "pass", "warn" (allowed, but look) or "fail"."""

    verdict: str
    title: str
    detail: str = ""
    stderr: str = ""


class Failed(Exception):
    """A step failed; the ones after it make no sense."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def check(job: jobs.Job, stage: Stage, variants: Sequence[str]) -> Iterator[Step]:
    """Try everything; yield the steps. The last failing one ends the conversation it is in."""
    [player] = spawn_players(job, stage)
    talk = _Talk(player, job.start_seconds)
    title = ""
    try:
        for title, step in talk.steps(variants[0]):
            found = step()
            yield Step("warn" if found.startswith("! ") else "pass", title, found.removeprefix("! "))
    except Failed as failed:
        player.kill()
        yield Step("fail", title, failed.detail, player.close().stderr)
        return
    finally:
        player.kill()
    for variant in variants:
        yield _game(job, stage, variant)


class _Talk:
    """A scripted conversation with one bot."""

    def __init__(self, player: SandboxedPlayer, start_seconds: float) -> None:
        self._player = player
        self._start_seconds = start_seconds
        self._ids = nonces()
        self._ready = Ready()
        self._game = engine.Game(engine.deal("crapaud", SEED))
        self._first = True

    def steps(self, variant: str) -> list[tuple[str, _Step]]:
        """Return what is tried, in order, with how."""
        self._game = engine.Game(engine.deal(variant, SEED, engine.variant(variant).players[0]))
        return [
            ("starts and says that it is ready", self._hello),
            ("answers a question with its id and a legal move", self._question),
            ("says nothing that was not asked", self._quiet),
            ("does not compute while others think", self._idle),
            ("ignores fields it does not know", lambda: self._question(future={"field": [1, 2, 3]})),
            ("plays on, or accepts, when a draw is offered", lambda: self._question(draw_offered=True)),
            ("answers a poll for stop, if it wants any", self._poll),
            ("leaves when the game is over", self._end),
        ]

    def _exchange(self, message: dict[str, object], wait: float = ANSWER_S) -> bytes:
        deadline = time.monotonic() + wait
        try:
            self._player.send(encode(message).encode() + b"\n", deadline)
            line = self._player.receive(deadline)
        except PlayerFault as fault:
            raise Failed(f"The bot {fault.detail}.") from fault
        if line is None:
            raise Failed(f"Expected one line within {wait:g} seconds, got none.")
        return line

    def _hello(self) -> str:
        begun = time.monotonic()
        game = self._game
        line = self._exchange(
            {
                "type": "hello",
                "protocol": protocol.PROTOCOL_VERSION,
                "variant": game.variant.name,
                "players": game.players,
                "seat": game.turn,
                "clock": {"bank_ms": 60_000, "increment_ms": 500},
                "rules": engine.RULES_VERSION,
                "future": {"field": [1, 2, 3]},
            },
            self._start_seconds,
        )
        try:
            ready = self._ready = protocol.parse_ready(line)
        except ProtocolError as error:
            raise Failed(
                f"{_sentence(error)} Only answers go to standard output; print to standard error."
            ) from error
        took = (time.monotonic() - begun) * 1000
        wants = [word for word in ("position", "events", "stops") if getattr(ready, word)]
        name = f"{ready.name!r}, " if ready.name else ""
        slow = "! " if took > self._start_seconds * 500 else ""
        return f"{slow}{name}ready after {took:.0f} ms, wants {', '.join(wants) or 'legal moves only'}"

    def _question(self, **more: object) -> str:
        game = self._game
        nonce = next(self._ids)
        legal = game.legal_moves()
        message: dict[str, object] = {
            "type": "move",
            "id": nonce,
            "ply": game.ply,
            "clocks": [60_000] * game.players,
            "legal": list(legal),
            **more,
        }
        if self._ready.position or self._first:
            message["position"] = str(game.position.public())
        if self._ready.events:
            message["events"] = []
        self._first = False
        before = self._player.cpu_ns()
        line = self._exchange(message)
        used = (self._player.cpu_ns() - before) / 1e6
        try:
            answer = protocol.parse_answer(line, nonce)
        except ProtocolError as error:
            raise Failed(_sentence(error)) from error
        if answer.moves and answer.moves[0] not in legal:
            raise Failed(f"Expected one of {', '.join(legal)}, got {protocol.quoted(answer.moves[0])}.")
        said = (
            "resigned"
            if answer.resign
            else "accepted the draw"
            if answer.accept_draw
            else ", ".join(answer.moves)
        )
        return f"{said} ({used:.1f} ms)"

    def _quiet(self) -> str:
        try:
            line = self._player.receive(time.monotonic() + QUIET_S)
        except PlayerFault as fault:
            raise Failed(f"The bot {fault.detail}.") from fault
        if line is not None:
            raise Failed(
                "Expected one line for each question, got another:"
                f" {protocol.quoted(line.decode('utf-8', 'replace'))}."
            )
        return ""

    def _idle(self) -> str:
        before = self._player.cpu_ns()
        time.sleep(QUIET_S)
        used = (self._player.cpu_ns() - before) // 1_000_000
        if used > IDLE_MS:
            return f"! used {used} ms in {QUIET_S * 1000:g} ms: that is charged, and stopped when it lasts"
        return ""

    def _poll(self) -> str:
        if not self._ready.stops:
            return "it wants none"
        nonce = next(self._ids)
        game = engine.Game(engine.deal("crapette-it", SEED))
        line = self._exchange(
            {
                "type": "stop",
                "id": nonce,
                "ply": 1,
                "clocks": [60_000] * 2,
                "before": str(game.position.public()),
                "move": game.legal_moves()[0],
                "events": [],
            }
        )
        try:
            return "stop" if protocol.parse_stop(line, nonce) else "no stop"
        except ProtocolError as error:
            raise Failed(_sentence(error)) from error

    def _end(self) -> str:
        result = {"termination": "resignation", "seat": 0, "ranking": [[1], [0]], "points": [0, 0]}
        self._player.farewell(encode({"type": "end", "result": result}).encode() + b"\n")
        deadline = time.monotonic() + LEAVE_S
        try:
            while time.monotonic() < deadline:
                if self._player.receive(deadline) is not None:
                    raise Failed("Expected no answer to the end of the game, got one.")
        except PlayerFault as fault:
            evidence = self._player.close()
            if evidence.exit == "exited with status 0":
                return evidence.exit
            return f"! {fault.detail} (expected status 0)"
        return f"! still there after {LEAVE_S:g} s: it is ended by force then"


def _game(job: jobs.Job, stage: Stage, variant: str) -> Step:
    """Let the bot play a whole game against itself."""
    game = Table(engine.deal(variant, SEED, engine.variant(variant).players[0]))
    title = f"plays a game of {variant} against itself"
    table = jobs.Job(
        variant=variant,
        start=str(game.position),
        seats=job.seats * game.players,
        clock=job.clock,
        level=job.level,
        memory_mb=job.memory_mb,
        start_seconds=job.start_seconds,
    )
    players = spawn_players(table, stage)
    try:
        referee = Referee(game, players, table.clock, nonces(), start_seconds=table.start_seconds)
        for _ in referee.play():
            pass
        evidence = referee.close()
    finally:
        for player in players:
            player.kill()
    result = referee.result
    assert result is not None  # noqa: S101
    memory = max(each.max_rss_kb for each in evidence) / 1024
    used = f"{result.plies} plies, {max(result.cpu_ms)} ms of CPU, {memory:.0f} MB"
    if result.termination.value in OWN_END:
        return Step("pass", title, f"{result.termination.value}: {used}")
    stderr = evidence[result.seat].stderr if result.seat is not None else ""
    return Step("fail", title, f"{result.termination.value}: {result.detail} ({used})", stderr)


def _sentence(error: ProtocolError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."


def main() -> int:
    """Check the bot of the job on standard input."""
    try:
        job = jobs.parse(sys.stdin.readline())
        for step in check(job, Stage.ensure(), sys.argv[1:] or ["crapaud"]):
            print(encode({"type": "step", **asdict(step)}), flush=True)  # noqa: T201
    except Infrastructure as error:
        print(encode({"type": "infrastructure", "reason": str(error)}), flush=True)  # noqa: T201
        return 75
    except BadJob as error:
        print(f"bad job: {error}", file=sys.stderr)  # noqa: T201
        return 2
    print(encode({"type": "result"}), flush=True)  # noqa: T201
    return 0


if TYPE_CHECKING:
    from collections.abc import Callable

    _Step = Callable[[], str]

if __name__ == "__main__":
    sys.exit(main())
