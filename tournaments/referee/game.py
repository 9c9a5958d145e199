"""The loop that plays one game: asks, checks, carries out, records.

Speed matters here: this loop runs for every ply of every game, and one round trip through two pipes is 9 µs. So an
event is written once (`log`), the form of answer that the SDK writes is recognised without a JSON parser, and waiting
bots are stopped only when there is something to wait for (`GRACE_S`).
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from bots import protocol
from bots.protocol import Answer, ProtocolError, Ready
from engine import RULES_VERSION
from engine.errors import EngineError
from tournaments.referee.clock import MS, Clocks
from tournaments.referee.errors import Forfeit, Infrastructure
from tournaments.referee.log import Log, encode, plain
from tournaments.referee.player import Evidence, Player, PlayerFault
from tournaments.referee.result import Result, Termination, draw_ranking, forfeit_ranking
from tournaments.referee.scores import draw_points, forfeit_points, standing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import engine
    from tournaments.referee.job import ClockRule

GRACE_S: Final = 0.001
"""How long an answer may take before the waiting bots are stopped. Two signals cost more than most answers."""
SLICE_S: Final = 0.1
"""How often a thinking bot's clock, and the supervisor, are looked at."""
_QUOTES: Final = 6
"""Quotation marks of an answer around the words that are not moves."""

_WORDS: Final = {
    Termination.WIN: "Won by going out.",
    Termination.STALL: "Drawn: 200 turns without a card to a foundation.",
    Termination.PASSES: "Drawn: every seat passed in a row.",
}

monotonic: Final = time.monotonic
monotonic_ns: Final = time.monotonic_ns


class _Chosen(NamedTuple):
    """An answer and what it cost."""

    answer: Answer
    ms: int


class Referee:
    """Plays one game between ``players``; iterate over `play` for the record's lines, then read ``result``.

    ``idle`` is called whenever the referee is about to wait for long: the place to flush what was yielded, and to
    notice that nobody wants the game any more (by raising).
    """

    def __init__(
        self,
        game: engine.Game,
        players: Sequence[Player],
        rule: ClockRule,
        ids: Iterator[str],
        *,
        start_seconds: float = 10.0,
        idle: Callable[[], object] = lambda: None,
    ) -> None:
        seats = len(players)
        self.game = game
        self.players = players
        self.clocks = Clocks(rule, seats)
        self.result: Result | None = None
        self._rule = rule
        self._ids = ids
        self._start_seconds = start_seconds
        self._idle = idle
        self._log = Log()
        self._ready = [Ready()] * seats
        self._asked = [False] * seats
        self._texts: list[str] = []
        self._told = [0] * seats
        self._cpu = [0] * seats
        self._cpu_start = [0] * seats
        self._delayed = [0] * seats
        self._paused: set[int] = set()
        self._offer: int | None = None

    def play(self) -> Iterator[str]:
        """Play to the end; yield the record's lines, the last with the result. Raises Infrastructure."""
        try:
            self._start()
            yield from self._moves()
        except Forfeit as forfeit:
            self.result = self._forfeited(forfeit)
        assert self.result is not None
        yield self._log.end(self.result, self.clocks.text())

    def close(self) -> list[Evidence]:
        """Tell the bots the result, end them, and return what is kept of each. Raises nothing."""
        if self.result is not None:
            line = encode({"type": "end", "result": self.result.as_dict()}).encode() + b"\n"
            for player in self.players:
                player.farewell(line)
        return [player.close() for player in self.players]

    # The start

    def _start(self) -> None:
        """Greet every bot and wait until it is ready; off the clock."""
        game, rule = self.game, self._rule
        deadline = monotonic() + self._start_seconds
        for seat in range(len(self.players)):
            hello = {
                "type": "hello",
                "protocol": protocol.PROTOCOL_VERSION,
                "variant": game.variant.name,
                "players": len(self.players),
                "seat": seat,
                "clock": {"bank_ms": rule.bank_ms, "increment_ms": rule.increment_ms},
                "rules": RULES_VERSION,
            }
            with self._startup_faults(seat):
                self.players[seat].send(encode(hello).encode() + b"\n", deadline)
        for seat, player in enumerate(self.players):
            with self._startup_faults(seat):
                self._ready[seat] = protocol.parse_ready(self._wait_ready(seat, deadline))
            self._cpu[seat] = self._cpu_start[seat] = player.cpu_ns()
            self._delayed[seat] = player.delayed_ns()

    def _wait_ready(self, seat: int, deadline: float) -> bytes:
        player = self.players[seat]
        while (line := player.receive(min(deadline, monotonic() + SLICE_S))) is None:
            self._idle()
            if monotonic() >= deadline:
                if player.delayed_ns() > self._start_seconds * 1e9 / 2:
                    raise Infrastructure(
                        f"seat {seat} was not given a core to start on: the host is too busy"
                    )
                raise Forfeit(
                    seat,
                    Termination.STARTUP,
                    f"Seat {seat} was not ready after {self._start_seconds:g} seconds.",
                )
        return line

    @contextlib.contextmanager
    def _startup_faults(self, seat: int) -> Iterator[None]:
        try:
            yield
        except PlayerFault as fault:
            raise Forfeit(
                seat, Termination.STARTUP, f"Seat {seat} was not ready to play: {fault.detail}."
            ) from fault
        except ProtocolError as error:
            raise Forfeit(
                seat, Termination.STARTUP, f"Seat {seat} did not say that it was ready: {error}."
            ) from error

    # The moves

    def _moves(self) -> Iterator[str]:
        game, log, texts = self.game, self._log, self._texts
        turn_ended, clocks_text = self.clocks.turn_ended, self.clocks.text
        push = game.push
        pollers = [seat for seat, ready in enumerate(self._ready) if ready.stops]
        while True:
            seat = game.turn
            answer, ms = self._ask(seat)
            if answer.resign or answer.accept_draw or answer.offer_draw or self._offer is not None:
                yield from self._talk(seat, answer)
                if self.result is not None:
                    return
            comment, evaluation = answer.comment, answer.evaluation
            for move in answer.moves:
                before = game.position if pollers else None
                try:
                    event = push(move)
                except EngineError:
                    raise self._illegal(seat, move) from None
                text = plain(event)
                texts.append(text)
                ended = game.turn != seat or game.finished
                if ended:
                    turn_ended(seat)
                yield log.move(text, game.ply, ms, clocks_text(), comment, evaluation)
                ms, comment, evaluation = 0, None, None
                if ended or event.reveal is not None or move == "draw":
                    break
                if before is not None and (stop := self._poll(before, move, pollers)):
                    yield stop
                    break
            if game.finished:
                self.result = self._finished()
                return

    def _illegal(self, seat: int, move: str) -> Forfeit:
        legal = self.game.legal_moves()
        shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return Forfeit(
            seat,
            Termination.ILLEGAL_MOVE,
            f"Seat {seat} played {protocol.quoted(move)} at ply {self.game.ply + 1}: expected one of {shown}.",
        )

    def _ask(self, seat: int) -> _Chosen:
        """Ask the seat to move, charge it, and read its answer."""
        nonce = next(self._ids)
        line = self._question(seat, nonce)
        reply, ms = self._exchange(seat, line.encode())
        # The form that the SDK writes needs no parser. No escapes and no quotes but its own: then what stands between
        # the separators are the moves, whatever else may be wrong with them.
        head = b'{"id":"%b","moves":["' % nonce.encode()
        if reply.startswith(head) and reply.endswith(b'"]}') and b"\\" not in reply:
            moves = tuple(reply[len(head) : -3].decode("ascii", "replace").split('","'))
            if reply.count(b'"') == _QUOTES + 2 * len(moves) and len(moves) <= protocol.MOVES_PER_ANSWER:
                return _Chosen(Answer(moves), ms)
        try:
            return _Chosen(protocol.parse_answer(reply, nonce), ms)
        except ProtocolError as error:
            raise Forfeit(seat, Termination.PROTOCOL, f"Seat {seat} answered wrongly: {error}.") from error

    def _question(self, seat: int, nonce: str) -> str:
        """Write the ``move`` question, with no more in it than the seat wants."""
        ready, game = self._ready[seat], self.game
        legal = '","'.join(game.legal_moves())
        more = ""
        if ready.position or not self._asked[seat]:
            self._asked[seat] = True
            more = f',"position":"{game.position.public()}"'
        if ready.events:
            more = f'{more},"events":[{",".join(self._texts[self._told[seat] :])}]'
            self._told[seat] = len(self._texts)
        if self._offer is not None and self._offer != seat:
            more += ',"draw_offered":true'
        return (
            f'{{"type":"move","id":"{nonce}","ply":{game.ply},"clocks":{self.clocks.text()},'
            f'"legal":["{legal}"]{more}}}\n'
        )

    def _poll(self, before: engine.Position, move: str, pollers: list[int]) -> str | None:
        """Ask the seat that may call stop whether it does; return the record's line if it did (RULES 6)."""
        game = self.game
        seat = 1 - game.turn
        if seat not in pollers or not game.can_stop():
            return None
        nonce = next(self._ids)
        more = ""
        if self._ready[seat].events:
            more = f',"events":[{",".join(self._texts[self._told[seat] :])}]'
            self._told[seat] = len(self._texts)
        line = (
            f'{{"type":"stop","id":"{nonce}","ply":{game.ply},"clocks":{self.clocks.text()},'
            f'"before":"{before.public()}","move":"{move}"{more}}}\n'
        )
        reply, ms = self._exchange(seat, line.encode())
        try:
            called = protocol.parse_stop(reply, nonce)
        except ProtocolError as error:
            raise Forfeit(
                seat, Termination.PROTOCOL, f"Seat {seat} answered a poll wrongly: {error}."
            ) from error
        if not called:
            return None
        mover = game.turn
        text = plain(game.stop())
        self._texts.append(text)
        if game.turn != mover:
            self.clocks.turn_ended(mover)
        return self._log.move(text, game.ply, ms, self.clocks.text())

    # Draws and resignation

    def _talk(self, seat: int, answer: Answer) -> Iterator[str]:
        """Deal with what an answer says beside its moves (two players; with more, only resignation counts)."""
        ply, clocks = self.game.ply, self.clocks.text()
        if answer.resign:
            raise Forfeit(seat, Termination.RESIGNATION, f"Seat {seat} resigned.")
        if self._offer is not None and self._offer != seat:
            if answer.accept_draw:
                self.result = self._drawn(seat)
                return
            self._offer = None
            yield self._log.note("decline", ply, clocks, seat=seat)
        if not answer.moves:
            raise Forfeit(
                seat,
                Termination.PROTOCOL,
                f"Seat {seat} accepted a draw that nobody had offered, and played nothing.",
            )
        if answer.offer_draw and len(self.players) == 2 and self._offer is None:
            self._offer = seat
            yield self._log.note("offer", ply, clocks, seat=seat)

    # The clock

    def _exchange(self, seat: int, line: bytes) -> tuple[bytes, int]:
        """Send a question, wait for the answer, charge the seat; return the line and the milliseconds charged."""
        player = self.players[seat]
        if seat in self._paused:
            self._paused.discard(seat)
            player.resume()
        begun = monotonic_ns()
        now = begun / 1e9
        try:
            player.send(line, now + self.clocks.wall_left[seat] / 1e9)
            reply = player.receive(now + GRACE_S)
            if reply is None:
                reply = self._wait(seat, begun)
            cpu = player.cpu_ns()
        except PlayerFault as fault:
            raise Forfeit(seat, fault.termination, f"Seat {seat} {fault.detail}.") from fault
        ms = self.clocks.charge(seat, cpu - self._cpu[seat], monotonic_ns() - begun)
        self._cpu[seat] = cpu
        if self.clocks.cpu_left[seat] < 0:
            raise self._out_of_time(seat)
        return reply, ms

    def _wait(self, seat: int, begun: int) -> bytes:
        """Wait for an answer that takes its time, with the other bots stopped and an eye on the clocks."""
        player, clocks = self.players[seat], self.clocks
        for other in range(len(self.players)):
            if other != seat and other not in self._paused:
                self._paused.add(other)
                with contextlib.suppress(PlayerFault):  # it will be noticed when it is asked
                    self.players[other].pause()
        while True:
            self._idle()
            cpu_left = clocks.cpu_left[seat] - (player.cpu_ns() - self._cpu[seat])
            if cpu_left < 0:
                clocks.charge(seat, clocks.cpu_left[seat] - cpu_left, monotonic_ns() - begun)
                raise self._out_of_time(seat)
            waited = monotonic_ns() - begun
            if waited > clocks.wall_left[seat]:
                self._wall_tripped(seat, waited)
            # A core's time passes no faster than the wall's: no need to look before the bank could be empty.
            reply = player.receive(monotonic() + min(SLICE_S, cpu_left / 1e9 + GRACE_S))
            if reply is not None:
                return reply

    def _out_of_time(self, seat: int) -> Forfeit:
        given = self.clocks.given[seat] / 1e9
        return Forfeit(
            seat,
            Termination.TIMEOUT,
            f"Seat {seat} used up its clock: {given:g} seconds of CPU time in {self.game.turn_number} turns.",
        )

    def _wall_tripped(self, seat: int, waited: int) -> None:
        """Decide whose fault a late answer is: the bot slept, or the host did not let it run.

        Time that the bot stood ready and was given no core is not its own. Returns if there is still hope; once the
        host has kept it waiting for as long as the guard itself, the game is void.
        """
        clocks = self.clocks
        delayed = self.players[seat].delayed_ns() - self._delayed[seat]
        if waited > clocks.wall_left[seat] + delayed:
            used = (clocks.given[seat] - clocks.cpu_left[seat]) // MS
            raise Forfeit(
                seat,
                Termination.SILENCE,
                f"Seat {seat} did not answer within {waited / 1e9:.1f} seconds, having used"
                f" {used} ms of its {clocks.given[seat] // MS} ms of CPU time.",
            )
        if delayed > clocks.wall_given(seat):
            raise Infrastructure(
                f"seat {seat} was kept from running for {delayed / 1e9:.1f} s: the host is too busy"
            )

    # The end

    def _finished(self) -> Result:
        """Return the result of a game that ended by its rules (RULES 3)."""
        outcome = self.game.outcome()
        assert outcome is not None
        termination = Termination(outcome.result)
        return self._ended(termination, None, _WORDS[termination], outcome.ranking, outcome.points)

    def _forfeited(self, forfeit: Forfeit) -> Result:
        at = standing(str(self.game.position))
        return self._ended(
            forfeit.termination,
            forfeit.seat,
            forfeit.detail,
            forfeit_ranking(len(self.players), at.out, forfeit.seat),
            forfeit_points(at, forfeit.seat),
        )

    def _drawn(self, seat: int) -> Result:
        at = standing(str(self.game.position))
        detail = f"Seat {1 - seat} offered a draw and seat {seat} accepted."
        return self._ended(
            Termination.DRAW_AGREED, None, detail, draw_ranking(len(self.players), at.out), draw_points(at)
        )

    def _ended(
        self,
        termination: Termination,
        seat: int | None,
        detail: str,
        ranking: tuple[tuple[int, ...], ...],
        points: tuple[int, ...],
    ) -> Result:
        game = self.game
        return Result(
            termination=termination,
            seat=seat,
            detail=detail,
            ranking=ranking,
            points=points,
            left=standing(str(game.position)).left,
            plies=game.ply,
            turns=game.turn_number,
            cpu_ms=tuple((cpu - start) // MS for cpu, start in zip(self._cpu, self._cpu_start, strict=True)),
        )
